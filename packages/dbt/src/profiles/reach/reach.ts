import type { Profile } from '../read-profile.ts'

/** The way in which a catalog reaches the warehouse of a profile. */
export type CatalogAddress =
  /** Texts to open a catalog with, to be tried in this order: a server may offer TLS or not. They hold secrets. */
  | { readonly addresses: readonly string[] }
  /** The remedy for a warehouse that no catalog reaches. */
  | { readonly reason: string }

export interface AddressOptions {
  /** The folder that paths of files are relative to: dbt runs in the folder of the project. */
  readonly projectFolder: string
}

/** Tells how the warehouse of one type of profile is reached. */
export type Reach = (profile: Profile, options: AddressOptions) => CatalogAddress
