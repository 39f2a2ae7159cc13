import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BuildResult } from '../../../../build/report/build-result.ts';
import { runBuild } from '../../../../build/run.ts';
import type { NoticeCode } from '../../../../data/report/notice.ts';
import { drawPicture } from '../image/draw-picture.ts';
import { createTemporaryFolder } from '../publish/temporary-store.ts';

export const NOW = new Date('2026-11-20T02:30:00Z');

/** What a test may change before it is written. Small enough to know by heart: 3 products, 2 feeds of 4 deals each. */
export interface Sources {
  readonly config: Record<string, unknown>;
  readonly cms: Record<'products' | 'giftCategories' | 'gifts' | 'networks' | 'retailers', Record<string, unknown>[]>;
  /** Lines of `feeds/house/deals.csv`, the header first. */
  readonly house: string[];
  /** Lines of `feeds/night/deals.csv`. */
  readonly night: string[];
}

export const HEADER =
  'dealId,productId,condition,retailer,network,contractName,contractMonths,dataGb,callMinutes,textMessages,upfrontCost,monthlyCost,gift,dealLink';

/** Everything in order: no notice at all. */
export function createSources(): Sources {
  return {
    config: {
      store: '../store',
      cms: [{ name: 'site', adapter: 'catalogue', files: ['cms/*.json'] }],
      feeds: [
        { name: 'house', adapter: 'deals', files: ['feeds/house/*'] },
        { name: 'night', adapter: 'deals', files: ['feeds/night/*'] },
      ],
      gates: { minRows: 4 },
    },
    cms: {
      products: [
        { id: '101', condition: 'new', name: 'Nova One', slug: 'nova-one', images: views('one') },
        {
          id: '101',
          condition: 'refurbished',
          name: 'Refurbished Nova One',
          slug: 'nova-one-refurbished',
          images: views('one'),
        },
        { id: '102', condition: 'new', name: 'Nova Two', slug: 'nova-two', images: views('two') },
      ],
      giftCategories: [{ id: '3', name: 'Audio', slug: 'audio', gifts: ['9', '7'] }],
      gifts: [
        { id: '7', name: 'Buds', slug: 'buds', images: { front: 'images/two.png' } },
        { id: '9', name: 'Speaker', slug: 'speaker' },
      ],
      networks: [
        { id: '21', name: 'Aurora', slug: 'aurora', logo: 'images/two.png' },
        { id: '22', name: 'Borealis', slug: 'borealis' },
      ],
      retailers: [
        { id: '31', name: 'Phone Barn', slug: 'phone-barn' },
        { id: '32', name: 'Night Owl', slug: 'night-owl' },
      ],
    },
    house: [
      HEADER,
      deal('H-1', '101', 'new', 'phone-barn', '29.99'),
      deal('H-2', '101', 'new', 'phone-barn', '34.99', '7'),
      deal('H-3', '101', 'refurbished', 'phone-barn', '19.99'),
      deal('H-4', '102', 'new', 'phone-barn', '44.99'),
    ],
    night: [
      HEADER,
      deal('N-1', '101', 'new', 'night-owl', '28.50'),
      deal('N-2', '101', 'refurbished', 'night-owl', '18.50'),
      deal('N-3', '102', 'new', 'night-owl', '43.50', '9'),
      deal('N-4', '102', 'new', 'night-owl', '48.50'),
    ],
  };
}

function views(name: string): Record<string, string> {
  return Object.fromEntries(['front', 'back', 'left', 'right'].map((view) => [view, `images/${name}.png`]));
}

export function deal(
  id: string,
  product: string,
  condition: string,
  retailer: string,
  monthlyCost: string,
  gift = '',
): string {
  return `${id},${product},${condition},${retailer},aurora,Plan 4,24,4,unlimited,500,0.00,${monthlyCost},${gift},https://shop.example/${id}`;
}

/** Writes the sources to `folder`, with a picture for each product; returns the path of the configuration. */
export async function writeSources(folder: string, sources: Sources): Promise<string> {
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  write('catalogue.json', JSON.stringify(sources.config));
  write('cms/site.json', JSON.stringify(sources.cms));
  write('cms/images/one.png', await drawPicture({ width: 30, height: 60, colour: '#336699' }));
  write('cms/images/two.png', await drawPicture({ width: 60, height: 40, colour: '#993366' }));
  write('feeds/house/deals.csv', `${sources.house.join('\n')}\n`);
  write('feeds/night/deals.csv', `${sources.night.join('\n')}\n`);
  return join(folder, 'catalogue.json');
}

export interface Site {
  /** The folder of the configuration. */
  readonly folder: string;
  readonly configPath: string;
  readonly store: string;
  build(options?: {
    readonly now?: Date;
    readonly dryRun?: boolean;
    readonly accept?: readonly string[];
  }): Promise<BuildResult>;
}

/** A site in a folder of its own, with `change` made to its sources. It has no pictures: they cost most of a build. */
export function createSite(change: (sources: Sources) => void = () => {}): Promise<Site> {
  return createPicturedSite((sources) => {
    const { products, gifts, networks } = sources.cms;
    for (const record of [...products, ...gifts, ...networks]) {
      delete record['images'];
      delete record['logo'];
    }
    change(sources);
  });
}

export async function createPicturedSite(change: (sources: Sources) => void = () => {}): Promise<Site> {
  const root = createTemporaryFolder();
  const sources = createSources();
  change(sources);
  const folder = join(root, 'site');
  const configPath = await writeSources(folder, sources);
  return {
    folder,
    configPath,
    store: join(root, 'store'),
    build: ({ now = NOW, dryRun = false, accept = [] } = {}) => runBuild({ configPath, now, dryRun, accept }),
  };
}

/** How often each code was given, by source: `{'house duplicate-id': 2}`. */
export function countNotices(result: BuildResult): Record<string, number> {
  return Object.fromEntries(result.report.notices.map(({ source, code, count }) => [`${source} ${code}`, count]));
}

export function samplesOf(result: BuildResult, code: NoticeCode) {
  return result.report.notices.filter((summary) => summary.code === code).flatMap(({ samples }) => samples);
}
