import { describe, expect, it } from 'vitest';
import {
  DEFAULT_SETTINGS,
  parseDurationSeconds,
  SETTING_NAMES,
  SETTINGS,
  type ServerSettings,
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
  it.each<[keyof ServerSettings, string, unknown]>([
    ['maxAgeSeconds', '5m', 300],
    ['staleAfterHours', '90m', 1.5],
    ['accessLog', 'off', false],
    ['rateLimit', '600/1m', { requests: 600, seconds: 60 }],
    ['corsOrigins', 'localhost, https://a.example', ['localhost', 'https://a.example']],
    ['maxDealsPerAnswer', '1000', 1_000],
  ])('%s reads %s in its unit', (name, text, value) => {
    expect(SETTINGS[name].parse(text)).toEqual(value);
  });

  it.each<[keyof ServerSettings, string, string]>([
    ['maxDealsPerAnswer', '999', 'Expected a whole number from 1000 to 100000000.'],
    ['maxDealsPerAnswer', '1000.5', 'Expected a whole number from 1000 to 100000000.'],
    ['accessLog', 'yes', 'Allowed choices are on, off.'],
    ['rateLimit', '1/25h', 'Expected requests per duration up to 24h, such as 600/1m or 10/1s.'],
    ['corsOrigins', 'none', 'Expected an origin such as https://www.example.com, localhost, or *.'],
    ['corsOrigins', 'https://a.example/path', 'Expected an origin such as https://www.example.com, localhost, or *.'],
  ])('%s refuses %s', (name, text, message) => {
    expect(() => SETTINGS[name].parse(text)).toThrow(message);
  });
});

it('a default is what help shows', () => {
  for (const name of SETTING_NAMES) {
    const { default: shown, parse } = SETTINGS[name];
    const expected = shown === undefined ? undefined : shown === 'none' ? [] : parse(shown.replaceAll('"', ''));
    expect([name, DEFAULT_SETTINGS[name]]).toEqual([name, expected]);
  }
});
