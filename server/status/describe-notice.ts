import { NOTICES } from '../../data/report/notice.ts';
import type { ManifestSource, NoticeSummary, SourceReport } from '../../data/report/report.ts';
import type { NoticeStatus, SourceStatus } from './status.ts';

/** A report holds twenty of each; the others are a request away. */
const MAX_SAMPLES = 3;

export function describeNotice(summary: NoticeSummary): NoticeStatus {
  const { meaning, remedy } = NOTICES[summary.code];
  return { ...summary, samples: summary.samples.slice(0, MAX_SAMPLES), meaning, remedy };
}

export function describeSource({ files, ...source }: SourceReport | ManifestSource): SourceStatus {
  return { ...source, fileCount: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
}
