import { type Store, STORES } from '../../company/places.ts'
import { defineTable, type RawTable } from '../../raw-table.ts'
import { DAY, OPENED, timestamp } from '../../time.ts'
import { deletable, DELETED_COLUMNS } from './fivetran.ts'
import { locationId } from './ids.ts'

/** Returns the id of a store, or of the distribution center that the online shop ships from. */
export function locationOf(store: Store | undefined): number {
  const index = STORES.findIndex(({ code, isShop }) => (store ? code === store.code : !isShop))
  return locationId(index + 1)
}

export function location(): RawTable {
  return defineTable({
    name: 'location',
    key: ['id'],
    columns: {
      id: 'bigint',
      name: 'varchar',
      address_1: 'varchar',
      city: 'varchar',
      province: 'varchar',
      country_code: 'varchar',
      zip: 'varchar',
      active: 'boolean',
      legacy: 'boolean',
      created_at: 'timestamptz',
      updated_at: 'timestamptz',
      ...DELETED_COLUMNS,
    },
    rows: STORES.map((store) => {
      const updatedAt = store.closedAt ?? OPENED
      return {
        id: locationOf(store),
        name: store.name,
        address_1: store.street,
        city: store.place.city,
        province: store.place.region,
        country_code: store.place.country,
        zip: store.place.postalCode,
        active: store.closedAt === undefined,
        legacy: false,
        created_at: timestamp(OPENED - 20 * DAY),
        updated_at: timestamp(updatedAt),
        ...deletable(updatedAt, store.closedAt !== undefined),
      }
    }),
  })
}
