/** How a model is drawn. Measures are millimetres, so that a mini is visibly smaller than a max. */
export interface Look {
  readonly form: 'slab' | 'fold' | 'clamshell' | 'keypad';
  /** Height of the drawing where it differs from the height of the specification (a phone drawn open). */
  readonly openHeight?: number;
  readonly corner: number;
  readonly bezel: number;
  /** Additional border above and below the screen. */
  readonly brow?: number;
  readonly chin?: number;
  readonly frame: string;
  /** The back, from top to bottom. */
  readonly body: readonly [string, string];
  readonly finish: 'plain' | 'two-tone' | 'ridges' | 'band';
  readonly opening: 'hole-centre' | 'hole-left' | 'pill' | 'drop' | 'notch' | 'none';
  readonly screen: 'lock' | 'home';
  /** The time on a lock screen, four digits. */
  readonly time: string;
  readonly wallpaper: Wallpaper;
  readonly cameras: CameraLayout;
}

type WallpaperKind =
  | 'hills'
  | 'waves'
  | 'rings'
  | 'petals'
  | 'prism'
  | 'orbit'
  | 'stripes'
  | 'blobs'
  | 'skyline'
  | 'leaves';

/** Five colours: the two ends of the sky and three shapes before it. */
export interface Wallpaper {
  readonly kind: WallpaperKind;
  readonly colours: readonly [string, string, string, string, string];
}

type CameraLayout =
  | 'square-two'
  | 'square-three'
  | 'square-four'
  | 'pill-two'
  | 'pill-three'
  | 'loose-two'
  | 'loose-three'
  | 'loose-one'
  | 'disc-three'
  | 'disc-four'
  | 'bar-two'
  | 'bar-three'
  | 'corner-two'
  | 'corner-one';
