import { describe, expect, it } from 'vitest';
import { CMS_ADAPTER_NAMES } from '../../build/adapt/registry.ts';
import { NOTICE_CODES, NOTICES } from '../../data/report/notice.ts';
import { createLocationFormatter, type FormatLocation } from '../../data/report/source-location.ts';
import type { Status } from '../../server/status/status.ts';

/** A module of the page, which is JavaScript for browsers and loads in Node as well. */
interface PlaceModule {
  readonly describePlace: FormatLocation;
  readonly rememberPlaces: (status: Status) => void;
}

const PLACE = '../../server/page/status/place.js';

describe('a place of /status/', () => {
  const sources = [...CMS_ADAPTER_NAMES, 'deals', 'awin', 'google-merchant', 'csv'].map((adapter) => ({
    name: `of ${adapter}`,
    adapter,
  }));
  const notices = NOTICE_CODES.map((code) => ({ code, outcome: NOTICES[code].outcome }));
  const writePlace = createLocationFormatter(sources);

  it.each(sources)(
    '$name is written as the report and deals explain write it, regardless of what is said of it',
    async ({ name }) => {
      const { describePlace, rememberPlaces } = (await import(PLACE)) as PlaceModule;
      rememberPlaces({ sources, notices } as unknown as Status);
      for (const code of [undefined, ...NOTICE_CODES]) {
        for (const file of [undefined, 'export.json']) {
          for (const line of [undefined, 3]) {
            const place = { source: name, file, line, ...(code === undefined ? {} : { code }) };
            expect(describePlace(place)).toBe(writePlace(place));
          }
        }
      }
    },
  );
});
