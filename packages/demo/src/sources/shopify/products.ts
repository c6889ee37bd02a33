import type { Company } from '../../company/company.ts'
import { money } from '../../company/money.ts'
import { OPEN_STORES } from '../../company/places.ts'
import { groupsOf, type Product } from '../../company/products.ts'
import { createRandom } from '../../random.ts'
import { defineTable, type RawTable } from '../../raw-table.ts'
import { DAY, HOUR, LAST_EVENT, OPENED, timestamp } from '../../time.ts'
import { deletable, DELETED_COLUMNS, synced, SYNCED_COLUMNS } from './fivetran.ts'
import { collectionId, inventoryItemId, productId, variantId } from './ids.ts'
import { locationOf } from './locations.ts'

const createdAt = (product: Pick<Product, 'number'>): number => OPENED - 10 * DAY + product.number * HOUR

const DISCONTINUED = 'Camp Mug'

export function product({ products }: Company): RawTable {
  return defineTable({
    name: 'product',
    key: ['id'],
    columns: {
      id: 'bigint',
      title: 'varchar',
      handle: 'varchar',
      vendor: 'varchar',
      product_type: 'varchar',
      group: 'varchar',
      status: 'varchar',
      body_html: 'varchar',
      options: 'json',
      published_at: 'timestamptz',
      created_at: 'timestamptz',
      updated_at: 'timestamptz',
      ...DELETED_COLUMNS,
    },
    rows: products.map((item) => {
      const isDiscontinued = item.title === DISCONTINUED
      const updatedAt = LAST_EVENT - item.number * 3 * DAY
      return {
        id: productId(item.number),
        title: item.title,
        handle: item.handle,
        vendor: item.vendor,
        product_type: item.type,
        group: item.group,
        status: isDiscontinued ? 'archived' : 'active',
        body_html: `<p>${item.title}: made for the <em>long</em> way home.</p>`,
        options: optionsOf(item),
        published_at: isDiscontinued ? null : timestamp(createdAt(item) + DAY),
        created_at: timestamp(createdAt(item)),
        updated_at: timestamp(updatedAt),
        ...deletable(updatedAt, isDiscontinued),
      }
    }),
  })
}

function optionsOf({ variants }: Product): readonly unknown[] {
  return [
    { name: 'Color', position: 1, values: [...new Set(variants.map(({ color }) => color))] },
    { name: 'Size', position: 2, values: [...new Set(variants.map(({ size }) => size))] },
  ]
}

export function productVariant({ variants }: Company): RawTable {
  return defineTable({
    name: 'product_variant',
    key: ['id'],
    columns: {
      id: 'bigint',
      product_id: 'bigint',
      inventory_item_id: 'bigint',
      title: 'varchar',
      sku: 'varchar',
      barcode: 'varchar',
      price: 'decimal(12, 2)',
      compare_at_price: 'decimal(12, 2)',
      position: 'integer',
      option_1: 'varchar',
      option_2: 'varchar',
      grams: 'double',
      taxable: 'boolean',
      requires_shipping: 'boolean',
      created_at: 'timestamptz',
      updated_at: 'timestamptz',
      ...SYNCED_COLUMNS,
    },
    rows: variants.map((variant) => ({
      id: variantId(variant.number),
      product_id: productId(variant.product.number),
      inventory_item_id: inventoryItemId(variant.number),
      title: `${variant.color} / ${variant.size}`,
      sku: variant.sku,
      barcode: variant.barcode ?? null,
      price: money(variant.price),
      compare_at_price: variant.number % 6 === 0 ? money(variant.price + 2000) : null,
      position: Number(variant.sku.split('-').at(-1)),
      option_1: variant.color,
      option_2: variant.size,
      grams: variant.grams,
      taxable: variant.ships,
      requires_shipping: variant.ships,
      created_at: timestamp(createdAt(variant.product)),
      updated_at: timestamp(createdAt(variant.product) + DAY),
      ...synced(createdAt(variant.product) + DAY),
    })),
  })
}

export function collection({ products }: Company): RawTable {
  return defineTable({
    name: 'collection',
    key: ['id'],
    columns: {
      id: 'bigint',
      title: 'varchar',
      handle: 'varchar',
      order: 'varchar',
      disjunctive: 'boolean',
      rules: 'json',
      updated_at: 'timestamptz',
      ...DELETED_COLUMNS,
    },
    rows: groupsOf(products).map((group, index) => ({
      id: collectionId(index + 1),
      title: `All ${group}`,
      handle: `all-${group}`,
      order: index % 3 === 0 ? 'manual' : 'best-selling',
      disjunctive: false,
      rules: [{ column: 'tag', relation: 'equals', condition: group }],
      updated_at: timestamp(OPENED + index * DAY),
      ...deletable(OPENED + index * DAY, group === 'gifts'),
    })),
  })
}

export function collectionProduct({ products }: Company): RawTable {
  const groups = groupsOf(products)
  return defineTable({
    name: 'collection_product',
    key: ['collection_id', 'product_id'],
    columns: { collection_id: 'bigint', product_id: 'bigint', order: 'integer', ...SYNCED_COLUMNS },
    rows: products.map(({ group, number }) => ({
      collection_id: collectionId(groups.indexOf(group) + 1),
      product_id: productId(number),
      order: number,
      ...synced(OPENED + number * HOUR),
    })),
  })
}

export function inventoryLevel({ variants }: Company): RawTable {
  const random = createRandom('shopify.inventory_level')
  const levels = variants
    .filter(({ ships }) => ships)
    .flatMap((variant) => OPEN_STORES.map((store) => ({ variant, store })))
  return defineTable({
    name: 'inventory_level',
    key: ['inventory_item_id', 'location_id'],
    columns: {
      inventory_item_id: 'bigint',
      location_id: 'bigint',
      available: 'bigint',
      updated_at: 'timestamptz',
      ...DELETED_COLUMNS,
    },
    rows: levels.map(({ store, variant }) => {
      const updatedAt = LAST_EVENT - random.integer(0, 60 * 24) * HOUR
      return {
        inventory_item_id: inventoryItemId(variant.number),
        location_id: locationOf(store),
        available: store.isShop ? random.integer(0, 14) : random.integer(0, 260),
        updated_at: timestamp(updatedAt),
        ...deletable(updatedAt, random.chance(0.01)),
      }
    }),
  })
}
