/** The chips of the sample, invented like the phones they drive. */
export const CHIPS = {
  'silica-9': {
    chipset: 'Silica 9 (3 nm)',
    gpu: 'Silica Vista 960',
    cpu: 'Octa-core (1x 3.5 GHz, 5x 3.0 GHz, 2x 2.2 GHz)',
  },
  'silica-8': {
    chipset: 'Silica 8 (4 nm)',
    gpu: 'Silica Vista 840',
    cpu: 'Octa-core (1x 3.2 GHz, 4x 2.8 GHz, 3x 2.0 GHz)',
  },
  'silica-6': {
    chipset: 'Silica 6 (4 nm)',
    gpu: 'Silica Vista 620',
    cpu: 'Octa-core (4x 2.5 GHz, 4x 1.9 GHz)',
  },
  'orrery-5': { chipset: 'Orrery M5 (3 nm)', gpu: 'Orrery 6-core', cpu: 'Hexa-core (2x 3.9 GHz, 4x 2.4 GHz)' },
  'orrery-4': { chipset: 'Orrery M4 (4 nm)', gpu: 'Orrery 5-core', cpu: 'Hexa-core (2x 3.4 GHz, 4x 2.1 GHz)' },
  'talus-70': { chipset: 'Talus T70 (6 nm)', gpu: 'Cairn G68', cpu: 'Octa-core (2x 2.6 GHz, 6x 2.0 GHz)' },
  'talus-58': { chipset: 'Talus T58 (6 nm)', gpu: 'Cairn G57', cpu: 'Octa-core (2x 2.2 GHz, 6x 1.8 GHz)' },
  'talus-40': { chipset: 'Talus T40 (12 nm)', gpu: 'Cairn G52', cpu: 'Octa-core (2x 1.8 GHz, 6x 1.6 GHz)' },
  'minnow-210': { chipset: 'Minnow 210', cpu: 'Dual-core (2x 1.1 GHz)' },
} as const satisfies Record<string, Chip>;

export type ChipName = keyof typeof CHIPS;

export interface Chip {
  readonly chipset: string;
  readonly gpu?: string;
  readonly cpu: string;
}
