/** The 25 attributes of `specs`: the word of `fields=`, the JSON key, the meaning (spec §2.8, §4.2). */
export const SPEC_FIELDS = [
  { word: 'os', key: 'os', meaning: 'operating system' },
  { word: 'family-os', key: 'familyOs', meaning: 'operating system family' },
  { word: 'weight', key: 'weight', meaning: 'weight in grammes' },
  { word: 'size', key: 'size', meaning: 'width x height x depth in millimetres' },
  { word: 'height', key: 'height', meaning: 'height in millimetres' },
  { word: 'width', key: 'width', meaning: 'width in millimetres' },
  { word: 'depth', key: 'depth', meaning: 'depth in millimetres' },
  { word: 'screen-size', key: 'screenSize', meaning: 'screen size in inches' },
  { word: 'screen-pixel-density', key: 'screenPixelDensity', meaning: 'pixel density in ppi' },
  { word: 'screen-resolution', key: 'screenResolution', meaning: 'resolution in pixels' },
  { word: 'sim-type', key: 'simType', meaning: 'SIM card type' },
  { word: 'display-type', key: 'displayType', meaning: 'display type' },
  { word: 'handset-style', key: 'handsetStyle', meaning: 'handset style' },
  { word: 'camera-front', key: 'cameraFront', meaning: 'primary camera size in megapixels' },
  { word: 'camera-back', key: 'cameraBack', meaning: 'secondary camera size in megapixels' },
  { word: 'camera-flash', key: 'cameraFlash', meaning: 'flash type' },
  { word: 'battery-type', key: 'batteryType', meaning: 'battery type' },
  { word: 'battery-capacity', key: 'batteryCapacity', meaning: 'battery capacity' },
  { word: 'chipset', key: 'chipset', meaning: 'chipset' },
  { word: 'gpu', key: 'gpu', meaning: 'graphics processor' },
  { word: 'cpu', key: 'cpu', meaning: 'processor' },
  { word: 'nfc', key: 'nfc', meaning: 'near-field communication support' },
  { word: 'sensors', key: 'sensors', meaning: 'sensor types, comma-separated text' },
  { word: 'fm-radio', key: 'fmRadio', meaning: 'the text Yes or No' },
  { word: '4g', key: '4g', meaning: 'the text Yes or No' },
] as const;

export type SpecKey = (typeof SPEC_FIELDS)[number]['key'];

export const SPEC_KEYS = SPEC_FIELDS.map((field) => field.key) as readonly SpecKey[];
