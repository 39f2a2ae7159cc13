import { InvalidArgumentError, Option } from 'commander';
import { DEFAULT_SETTINGS, SETTING_NAMES, SETTINGS, type ServerSettings } from '../../server/settings.ts';
import { asArgument, parseText, parseWholeNumber } from './options.ts';

export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_PORT = 8080;

export function hostOption(): Option {
  return new Option('-H, --host <address>', 'the address to listen on')
    .env('DEALS_HOST')
    .default(DEFAULT_HOST)
    .argParser(parseText);
}

export function portOption(): Option {
  return new Option('-p, --port <number>', 'the port to listen on; 0 for any that is free')
    .env('DEALS_PORT')
    .default(DEFAULT_PORT)
    .argParser(parseWholeNumber(0, 65_535));
}

export function publicUrlOption(): Option {
  return new Option('--public-url <url>', 'what goes before the paths of pictures (default: the address of the server)')
    .env('DEALS_PUBLIC_URL')
    .argParser(parsePublicUrl);
}

function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new InvalidArgumentError('Expected an http or https URL without a query, such as https://deals.example.com.');
  }
  let end = text.length;
  while (text.endsWith('/', end)) end--;
  return text.slice(0, end);
}

/** How many ports are tried after the first. */
export const OTHER_PORTS = 20;

/** The port of a local server: any free port will do. */
export function localPortOption(): Option {
  return new Option('-p, --port <number>', 'the port to listen on; the next one that is free if it is taken')
    .default(DEFAULT_PORT)
    .argParser(parseWholeNumber(0, 65_535 - OTHER_PORTS));
}

/** The option of a setting of the server, made from its row of the table. */
export function settingOption(name: keyof ServerSettings): Option {
  const { flag, help, default: shown, parse } = SETTINGS[name];
  const option = new Option(flag, help);
  option.env(`DEALS_${option.name().toUpperCase().replaceAll('-', '_')}`).argParser((text, before: unknown) => {
    const value = asArgument(() => parse(text));
    return Array.isArray(value) && Array.isArray(before) ? [...before, ...value] : value;
  });
  if (name === 'accessLog') option.argChoices = ['on', 'off'];
  return shown === undefined ? option : option.default(DEFAULT_SETTINGS[name], shown);
}

export function settingOptions(): readonly Option[] {
  return SETTING_NAMES.map(settingOption);
}

/** The settings of a command line with `settingOptions`. */
export function readSettings(options: object): ServerSettings {
  const values = new Map(Object.entries(options));
  const given = SETTING_NAMES.flatMap((name) => {
    const value: unknown = values.get(settingOption(name).attributeName());
    return value === undefined ? [] : [[name, value]];
  });
  return { ...DEFAULT_SETTINGS, ...Object.fromEntries(given) };
}
