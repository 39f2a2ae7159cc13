import { METRICS, type MetricName } from './metric-list.ts';

export interface Sample {
  /** Of the line of a histogram. */
  readonly suffix?: '_bucket' | '_sum' | '_count';
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples of every metric; a metric without any is left out. */
export type Samples = Readonly<Record<MetricName, readonly Sample[]>>;

/** The text format of Prometheus, version 0.0.4. */
export const METRICS_MEDIA_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export function writeMetrics(samples: Samples): string {
  let text = '';
  for (const name of Object.keys(METRICS) as MetricName[]) {
    if (samples[name].length === 0) continue;
    const { help, type } = METRICS[name];
    text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    for (const { suffix = '', labels = {}, value } of samples[name]) {
      text += `${name}${suffix}${writeLabels(labels)} ${value}\n`;
    }
  }
  return text;
}

function writeLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeValue(text: string): string {
  return text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`);
}
