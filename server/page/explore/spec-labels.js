/**
 * What a reader calls each specification, in the order of a data sheet.
 * @type {Readonly<Record<import('../../../data/field/field.ts').SpecKey, string>>}
 */
export const SPEC_LABELS = {
  os: 'Operating system',
  familyOs: 'System family',
  screenSize: 'Screen',
  screenResolution: 'Resolution',
  screenPixelDensity: 'Pixel density',
  displayType: 'Display',
  cameraFront: 'Main camera',
  cameraBack: 'Second camera',
  cameraFlash: 'Flash',
  batteryCapacity: 'Battery',
  batteryType: 'Battery type',
  chipset: 'Chipset',
  cpu: 'Processor',
  gpu: 'Graphics',
  size: 'Size',
  height: 'Height',
  width: 'Width',
  depth: 'Depth',
  weight: 'Weight',
  handsetStyle: 'Style',
  simType: 'SIM',
  '4g': '4G',
  nfc: 'NFC',
  fmRadio: 'FM radio',
  sensors: 'Sensors',
};
