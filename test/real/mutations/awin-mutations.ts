import type { Row } from './step.ts';

export const AWIN_ROWS: readonly Row[] = [];
