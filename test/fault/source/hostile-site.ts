import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSources, writeSources } from '../../unit/build/run/write-sources.ts';
import type { HostileSource } from './hostile-source.ts';
import { measureBuild, type MeasuredBuild } from './measured-build.ts';

const NOW = '2026-11-20T02:30:00Z';

/** The name of a hostile source in the configuration: its position, since names are sentences. */
export function sourceNameOf(position: number): string {
  return `hostile-${position}`;
}

/** A site with the sound catalogue and feeds, and hostile sources beside them. */
export class HostileSite {
  readonly #root = mkdtempSync(join(tmpdir(), 'deals-hostile-'));
  #config = '';

  async write(hostile: readonly HostileSource[], gates: object = { minRows: 4, maxQuarantined: 1 }): Promise<void> {
    const folder = join(this.#root, 'site');
    const sources = createSources();
    const configured = hostile.map(({ kind, settings, files }, position) => {
      const name = sourceNameOf(position);
      return { kind, settings: { name, files: files.map((glob) => `hostile/${name}/${glob}`), ...settings } };
    });
    const { config } = sources;
    const settingsOf = (kind: HostileSource['kind']) =>
      configured.filter((source) => source.kind === kind).map(({ settings }) => settings);
    config['cms'] = [...(config['cms'] as object[]), ...settingsOf('cms')];
    config['feeds'] = [...settingsOf('feed'), ...(config['feeds'] as object[])];
    // A feed of which everything is faulty refuses the build, unless it is small: that is the gate's own promise.
    config['gates'] = gates;
    this.#config = await writeSources(folder, sources);
    for (const [position, source] of hostile.entries()) {
      const own = join(folder, 'hostile', sourceNameOf(position));
      mkdirSync(own, { recursive: true });
      await source.write(own);
    }
  }

  build(): Promise<MeasuredBuild> {
    return measureBuild(this.#root, this.#config, NOW);
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}
