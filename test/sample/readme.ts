import type { AwinFeed } from './awin-feed.ts';
import type { CmsExport } from './cms-export.ts';
import type { Fault } from './fault.ts';
import { GIFT_CATEGORIES, GIFTS } from './gifts.ts';
import type { HouseFeed } from './house-feed.ts';
import { MAKERS } from './maker.ts';
import { MODELS } from './models.ts';
import { NETWORKS, RETAILERS } from './plans.ts';
import { SLUG_WITHOUT_DEALS, VARIANTS, variantOf } from './variants.ts';

/** The README of `data/sample`. Its figures and its tables of faults come from what was made. */
export function formatReadme(cms: CmsExport, house: HouseFeed, awin: AwinFeed): string {
  const refurbished = VARIANTS.filter(({ condition }) => condition === 'refurbished').length;
  const withoutDeals = variantOf(SLUG_WITHOUT_DEALS);
  const served = (faults: readonly Fault[]): number =>
    faults.filter(({ outcome }) => outcome.startsWith('served')).length;
  const houseKept = house.soundCount + served(house.faults);
  const awinKept = awin.soundCount + served(awin.faults);
  return `# The sample

A small mobile-deals catalogue in source form: CMS files, two deal feeds, pictures and the configuration that builds
them. It is for a first look, for demonstrations and for trying a change by hand. It is not test data for edge cases
(those stand beside the tests that need them) and not a measure of speed: it is far too small.

Every maker, phone, network, retailer, gift, price, text and drawing here is invented. Links lead to \`.example\` hosts,
which do not exist; those of the awin feed have the form that its redirector uses and are not for following.

Build it with \`deals build --config data/sample/catalogue.json\`. The sample does not change with the calendar: its sound
deals are valid for years, and dates that matter lie before November 2026 or after 2035.

## What is in it

| file | holds |
|---|---|
| \`catalogue.json\` | the configuration: sources, pictures, one excluded deal, ceilings and gates |
| \`cms/phones-<maker>.json\` | ${VARIANTS.length} products of ${MODELS.length} models by ${MAKERS.length} makers, ${refurbished} of them refurbished; two more that are not served |
| \`cms/gifts.json\` | ${GIFTS.length} gifts in ${GIFT_CATEGORIES.length} categories, and a draft |
| \`cms/networks.json\` | ${NETWORKS.length} networks with their aliases and logos |
| \`cms/retailers.json\` | ${RETAILERS.length} retailers with their aliases and logos |
| \`cms/images/phones/\` | front, back, left and right of each model, 300 x 600 pixels |
| \`cms/images/gifts/\` | a picture of each gift and each category, 320 x 400 pixels |
| \`cms/images/networks/\`, \`cms/images/retailers/\` | logos, 400 x 200 and 200 x 200 pixels |
| \`feeds/house/deals.csv\` | ${house.rowCount} rows of five retailers, in the columns of the \`deals\` adapter |
| \`feeds/awin/datafeed.csv.gz\` | ${awin.rowCount} rows of three merchants, in the Telcos shape of 59 columns |

The five retailers of the house feed name a phone in three ways: by product id, by GTIN (Dialstone) and by name
(Ringfield Mobiles, in several spellings). In the awin feed about half of the models are found by the feed's ids
(\`matches.feedIds.awin\`: edition ids, or the version id where a model has one size of storage), the others by name.
Tideline Store sells phone and airtime as two agreements: its 36 month deals state an airtime term of 24, and only the
device term makes their totals true.

## What a build makes of it

| source | read | kept | duplicate | out of scope | quarantined |
|---|---|---|---|---|---|
| \`house\` | ${house.rowCount} | ${houseKept} | ${count(house.faults, 'duplicate')} | ${count(house.faults, 'out of scope')} | ${count(house.faults, 'quarantined')} |
| \`awin\` | ${awin.rowCount} | ${awinKept} | ${awin.colourCount + count(awin.faults, 'duplicate')} | ${count(awin.faults, 'out of scope')} | ${count(awin.faults, 'quarantined')} |
| \`site\` (the CMS) | ${cms.recordCount} | ${cms.recordCount - count(cms.faults, 'out of scope') - count(cms.faults, 'quarantined')} | 0 | ${count(cms.faults, 'out of scope')} | ${count(cms.faults, 'quarantined')} |

Together ${houseKept + awinKept} deals are served. The ${awin.colourCount} duplicates of the awin feed are deals that come once more in another colour. Every
product has deals but one: ${withoutDeals.name} (id ${withoutDeals.id}, new), whose stock has gone.

## What is wrong on purpose

Lines count from 1, the header; those of the awin feed are lines of the file inside the archive. Where a total is wrong
the stated one is served.

### The CMS

${table(
  ['file', 'record', 'what', 'a build says'],
  cms.faults.map(({ file, id, what, outcome }) => [`\`${file}\``, id, what, outcome]),
)}

### The house feed

${table(['line', 'deal', 'what', 'a build says'], house.faults.map(rowOf))}

### The awin feed

${table(['line', '`merchant_product_id`', 'what', 'a build says'], awin.faults.map(rowOf))}

### What only a second build can say

Some checks compare a feed with the snapshot being served. To see them, change a copy of the house feed after a first build:

| change | a build says |
| --- | --- |
| the monthly cost of \`H-00042\`: a tenth of it, and no total | quarantined, \`price-jump\`; the next build takes it |
| the column \`gtin\` renamed | the feed is held, \`field-gone\`, exit status 4 |
| the last 100 characters of the file removed | refused, exit status 3, since \`house\` is required: \`source-malformed\`. Without \`required\` it is held, exit status 4 |

## How to make it again

\`npx tsx test/sample/make-sample.ts\` empties this folder and writes it anew, this page included, from the tables and
drawings in \`test/sample/\`. It has no clock and a fixed seed: the same code makes the same texts everywhere. A test
(\`test/sample/sample.test.ts\`) compares them with what is committed, so change the tables and not the files. Pictures may
differ by a few bytes where another version of the renderer made them; the test looks at their size and that no two
models look alike.
`;
}

function count(faults: readonly Fault[], outcome: Fault['outcome']): number {
  return faults.filter((fault) => fault.outcome === outcome).length;
}

function rowOf({ line, id, what, outcome }: Fault): readonly string[] {
  return [String(line ?? ''), `\`${id}\``, what, outcome];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
