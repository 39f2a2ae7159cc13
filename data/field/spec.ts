import type { Field } from './field.ts';

/**
 * The attributes of `specs`: the word of `fields=`, the JSON key, the meaning (spec §2.8, §4.2). All are text of the
 * CMS, and the unit is part of the text.
 */
export const SPEC_FIELDS = [
  { word: 'os', key: 'os', meaning: 'operating system', example: 'Android 16' },
  { word: 'family-os', key: 'familyOs', meaning: 'operating system family', example: 'Android' },
  { word: 'weight', key: 'weight', meaning: 'weight', unit: 'grammes', example: '178 g' },
  {
    word: 'size',
    key: 'size',
    meaning: 'width x height x depth',
    unit: 'millimetres',
    example: '71.4 x 149.6 x 7.9 mm',
  },
  { word: 'height', key: 'height', meaning: 'height', unit: 'millimetres', example: '149.6 mm' },
  { word: 'width', key: 'width', meaning: 'width', unit: 'millimetres', example: '71.4 mm' },
  { word: 'depth', key: 'depth', meaning: 'depth', unit: 'millimetres', example: '7.9 mm' },
  { word: 'screen-size', key: 'screenSize', meaning: 'screen size', unit: 'inches', example: '6.3 inches' },
  {
    word: 'screen-pixel-density',
    key: 'screenPixelDensity',
    meaning: 'pixel density',
    unit: 'ppi',
    example: '409 ppi',
  },
  {
    word: 'screen-resolution',
    key: 'screenResolution',
    meaning: 'resolution',
    unit: 'pixels',
    example: '1080 x 2340 pixels',
  },
  { word: 'sim-type', key: 'simType', meaning: 'SIM card type', example: 'Nano-SIM and eSIM' },
  { word: 'display-type', key: 'displayType', meaning: 'display type', example: 'LTPO OLED, 120 Hz' },
  { word: 'handset-style', key: 'handsetStyle', meaning: 'handset style', example: 'Touchscreen' },
  { word: 'camera-front', key: 'cameraFront', meaning: 'primary camera size', unit: 'megapixels', example: '50 MP' },
  { word: 'camera-back', key: 'cameraBack', meaning: 'secondary camera size', unit: 'megapixels', example: '16 MP' },
  { word: 'camera-flash', key: 'cameraFlash', meaning: 'flash type', example: 'Dual LED' },
  { word: 'battery-type', key: 'batteryType', meaning: 'battery type', example: 'Lithium-ion, not removable' },
  {
    word: 'battery-capacity',
    key: 'batteryCapacity',
    meaning: 'battery capacity',
    unit: 'milliampere hours',
    example: '4400 mAh',
  },
  { word: 'chipset', key: 'chipset', meaning: 'chipset', example: 'Silica 9 (3 nm)' },
  { word: 'gpu', key: 'gpu', meaning: 'graphics processor', example: 'Silica Vista 960' },
  { word: 'cpu', key: 'cpu', meaning: 'processor', example: 'Octa-core (1x 3.5 GHz, 5x 3.0 GHz, 2x 2.2 GHz)' },
  { word: 'nfc', key: 'nfc', meaning: 'near-field communication support', example: 'Yes' },
  {
    word: 'sensors',
    key: 'sensors',
    meaning: 'sensor types, comma-separated text',
    example: 'Accelerometer, Compass, Fingerprint, Gyroscope',
  },
  { word: 'fm-radio', key: 'fmRadio', meaning: 'the text Yes or No', example: 'No' },
  { word: '4g', key: '4g', meaning: 'the text Yes or No', example: 'Yes' },
] as const satisfies readonly (Field & { readonly word: string })[];

export type SpecKey = (typeof SPEC_FIELDS)[number]['key'];

export const SPEC_KEYS = SPEC_FIELDS.map((field) => field.key) as readonly SpecKey[];
