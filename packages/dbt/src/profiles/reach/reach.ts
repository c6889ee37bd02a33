import type { Profile } from '../read-profile.ts'

/** The way in which a catalog reaches the warehouse of a profile. */
export type CatalogAddress =
  /** Addresses of the catalog, to be tried in this order: a server may offer TLS or not. They contain secrets. */
  | { readonly addresses: readonly string[] }
  /** The remedy for a warehouse that no catalog reaches. */
  | { readonly reason: string }

export interface AddressOptions {
  /** The base folder of relative paths: dbt runs in the folder of the project. */
  readonly projectFolder: string
}

/** Returns the way to reach the warehouse of one type of profile. */
export type Reach = (profile: Profile, options: AddressOptions) => CatalogAddress
