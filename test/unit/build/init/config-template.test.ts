import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../../build/config/config.ts';
import { planSource, writeConfigTemplate } from '../../../../build/init/config-template.ts';
import { CMS_TEMPLATES, FEED_TEMPLATES } from '../../../../build/init/source-templates.ts';

const TEXT = writeConfigTemplate([
  ...Object.keys(CMS_TEMPLATES).map((adapter) => planSource('cms', { adapter, name: `cms-${adapter}` })),
  ...Object.keys(FEED_TEMPLATES).map((adapter) => planSource('feed', { adapter })),
]);

async function write(text: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'deals-template-')), 'catalogue.json');
  await writeFile(path, text);
  return path;
}

describe('the configuration for every adapter', () => {
  it('is one that a build takes', async () => {
    const config = await readConfig(await write(TEXT));
    expect([...config.cms, ...config.feeds].map(({ adapter }) => adapter)).toEqual([
      ...Object.keys(CMS_TEMPLATES),
      ...Object.keys(FEED_TEMPLATES),
    ]);
  });

  it('says of every source what goes there, and what is to be made true', () => {
    for (const { what, ...rest } of [...Object.values(CMS_TEMPLATES), ...Object.values(FEED_TEMPLATES)]) {
      expect(TEXT).toContain(`// ${what}\n`);
      expect(TEXT).toContain('guesses' in rest ? `// to be made true: ${rest.guesses}\n` : what);
    }
  });
});
