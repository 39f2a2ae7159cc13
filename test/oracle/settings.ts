/** What can be set on a server and changes answers. */
export interface OracleSettings {
  /** Put before the paths of rendered pictures. */
  readonly publicUrl: string;
  readonly defaultLimit: number;
  readonly maxLimit: number;
}

export const DEFAULT_SETTINGS: OracleSettings = { publicUrl: 'https://deals.test', defaultLimit: 20, maxLimit: 100 };
