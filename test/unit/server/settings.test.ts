import { describe, expect, it } from 'vitest';
import {
  DEFAULT_SETTINGS,
  parseDurationSeconds,
  parseSetting,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
} from '../../../server/settings.ts';

describe('a duration', () => {
  it.each([
    ['0s', 0],
    ['90s', 90],
    ['15m', 900],
    ['26h', 93_600],
  ])('%s is %d seconds', (text, expected) => {
    expect(parseDurationSeconds(text)).toBe(expected);
  });

  it.each(['', '15', 'm', '-1s', '1.5h', '15 m', '15M', '1d', '1h30m', '9999999s'])('%j is refused', (text) => {
    expect(() => parseDurationSeconds(text)).toThrow('Expected a duration such as 90s, 15m or 26h.');
  });
});

describe('a setting', () => {
  it.each<[SettingName, string, unknown]>([
    ['maxAgeSeconds', '5m', 300],
    ['staleAfterHours', '90m', 1.5],
    ['answerCacheBytes', '2', 2_000_000],
    ['accessLog', 'off', false],
    ['graceSeconds', '45m', 2_700],
    ['rateLimit', '600/1m', { requests: 600, seconds: 60 }],
    ['corsOrigins', 'localhost, https://a.example', ['localhost', 'https://a.example']],
  ])('%s reads %s in its unit', (name, text, value) => {
    expect(parseSetting(name, text)).toEqual(value);
  });

  it.each<[SettingName, string, string]>([
    ['defaultPageLimit', '0', 'Expected a whole number from 1 to 10000.'],
    ['maxDealsPerAnswer', '999', 'Expected a whole number from 1000 to 100000000.'],
    ['graceSeconds', '46m', 'Expected at most 45m, since builds delete what was current an hour ago.'],
    ['answerCacheBytes', '1.5', 'Expected a whole number from 0 to 100000.'],
    ['shedsLoad', 'yes', 'Allowed choices are on, off.'],
    ['rateLimit', '1/25h', 'Expected requests per duration up to 24h, such as 600/1m or 10/1s.'],
    ['corsOrigins', 'none', 'Expected an origin such as https://www.example.com, localhost, or *.'],
    ['corsOrigins', 'https://a.example/path', 'Expected an origin such as https://www.example.com, localhost, or *.'],
  ])('%s refuses %s', (name, text, message) => {
    expect(() => parseSetting(name, text)).toThrow(message);
  });

  it('has a variable that is named after its flag', () => {
    for (const name of SETTING_NAMES) {
      const { flag, environment } = SETTINGS[name];
      const words = flag.replace(/^--| <.*$/g, '');
      expect(environment).toBe(`DEALS_${words.toUpperCase().replaceAll('-', '_')}`);
    }
  });
});

it('a server without settings has the defaults of the table', () => {
  expect(DEFAULT_SETTINGS).toEqual({
    defaultPageLimit: 20,
    maxPageLimit: 100,
    maxAgeSeconds: 60,
    staleWhileRevalidateSeconds: 600,
    staleIfErrorSeconds: 86_400,
    graceSeconds: 900,
    answerCacheBytes: 16_000_000,
    maxSnapshotBytes: 1_000_000_000,
    accessLog: true,
    staleAfterHours: 26,
    corsOrigins: [],
    maxConnections: 4_000,
    maxConnectionsPerAddress: 1_000,
    shedsLoad: true,
  });
});
