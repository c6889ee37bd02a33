import type { Company } from '../../company/company.ts'
import type { Variant } from '../../company/products.ts'
import { createRandom, type Random } from '../../random.ts'
import { defineTable, type RawTable } from '../../raw-table.ts'
import { DAY, day, LAST_EVENT, OPENED, timestamp } from '../../time.ts'

export const SUPPLIERS = 18

/** Returns the main supplier of a product. */
export function mainSupplier({ product }: Variant): number {
  return 1 + (product.number % SUPPLIERS)
}

/** Returns the cost of an item in ten-thousandths of a dollar. */
export function unitCost({ price }: Variant): number {
  return price * 46
}

/** Prints a price with the four decimals that the ERP keeps. */
export function exact(tenThousandths: number): string {
  return (tenThousandths / 10_000).toFixed(4)
}

export function items({ variants }: Company): RawTable {
  const random = createRandom('erp.items')
  return defineTable({
    name: 'items',
    key: ['sku'],
    comment: `Everything that can be bought or sold: one row per SKU\nOwner: purchasing # ask before changing`,
    columns: {
      sku: 'varchar',
      itemUUID: 'uuid not null unique',
      Group: 'varchar not null references erp."Group" (code)',
      title: 'varchar not null',
      status: 'erp.item_status not null',
      unitPrice: 'decimal(12, 4) not null check ("unitPrice" >= 0)',
      'unit cost': 'decimal(12, 4)',
      'weight.g': 'integer',
      dimensions: 'struct(length_cm double, width_cm double, "is packed" boolean)',
      tags: 'varchar[] not null',
      attributes: 'map(varchar, varchar)',
      barcode: 'varchar unique',
      '3rd_party': 'boolean not null',
      'launched on': 'date not null',
      label: 'blob',
    },
    comments: {
      unitPrice: 'List price in US dollars, "net" of tax: see {{ price_list }}',
      'unit cost': "Supplier's price plus freight; null: not bought yet",
      'weight.g': 'Weight in grams, packed',
      '3rd_party': 'Made by others {# not by Northlight #}',
      status: 'planned -> active -> phase-out -> discontinued',
    },
    rows: variants.map((variant) => itemRow(variant, random)),
  })
}

function itemRow(variant: Variant, random: Random) {
  const { barcode, color, grams, number, price, product, ships, size, sku } = variant
  const [length, width] = [random.integer(10, 90), random.integer(10, 60)]
  const status = number % 23 === 0 ? 'phase-out' : 'active'
  return {
    sku,
    itemUUID: random.uuid(),
    Group: product.group,
    title: `${product.title}, ${color}, ${size}`,
    status: product.title === 'Camp Mug' ? 'discontinued' : status,
    unitPrice: exact(price * 100),
    'unit cost': ships ? exact(unitCost(variant)) : null,
    'weight.g': ships ? grams : null,
    dimensions: ships ? { length_cm: length / 2, width_cm: width / 2, 'is packed': number % 2 === 0 } : null,
    tags: [
      product.group,
      product.type.toLowerCase(),
      ...(price > 20_000 ? ['premium', "editor's pick"] : []),
    ],
    attributes: mapText({ color, size }),
    barcode: barcode ?? null,
    '3rd_party': product.vendor !== 'Northlight',
    'launched on': day(OPENED + (product.number % 12) * 14 * DAY),
    label: number % 10 === 0 ? blobText(random.hex(16)) : null,
  }
}

/** Prints a map as DuckDB reads it. */
function mapText(entries: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(entries).map((pair) => pair.map((part) => JSON.stringify(part)).join('='))
  return `{${pairs.join(', ')}}`
}

/** Prints bytes as DuckDB reads them. */
export function blobText(hex: string): string {
  return hex.replaceAll(/../g, (byte) => `\\x${byte.toUpperCase()}`)
}

const NAMES = [
  'Nordvev AS',
  "Cooper's Mill",
  'Alpin GmbH',
  'Sierra Sewing Co.',
  'Lac Bleu Textiles',
  'Kamado Metals',
]
const CITIES: readonly (readonly [city: string, country: string, currency: string])[] = [
  ['Bergen', 'NO', 'NOK'],
  ['Leeds', 'GB', 'GBP'],
  ['Kempten (Allgäu)', 'DE', 'EUR'],
  ['Reno', 'US', 'USD'],
  ['Sherbrooke', 'CA', 'CAD'],
  ['Tsubame', 'JP', 'JPY'],
]
const TERMS = ['net 30', 'net 30', 'net 60', 'prepaid', "supplier's choice"]

export function suppliers(): RawTable {
  const random = createRandom('erp.suppliers')
  return defineTable({
    name: 'suppliers',
    key: ['id'],
    comment: 'Who we buy from',
    columns: {
      id: 'integer',
      name: 'varchar not null',
      'address.city': 'varchar',
      'address.country': 'varchar not null',
      '2nd contact': 'varchar',
      'EDI-ID': 'varchar unique',
      payment_terms:
        "varchar not null check (payment_terms in ('net 30', 'net 60', 'prepaid', 'supplier''s choice'))",
      rating: 'tinyint check (rating in (1, 2, 3, 4, 5))',
      currency: 'varchar not null references erp.currencies (code)',
      'active?': "varchar not null check (\"active?\" in ('Y', 'N'))",
      created_at: 'timestamp',
      createdAt: 'timestamptz not null',
    },
    comments: {
      created_at: 'Time of the old system, local; use "createdAt"',
      rating: '1: poor … 5: excellent',
    },
    rows: Array.from({ length: SUPPLIERS }, (_, index) => {
      const [city, country, currency] = CITIES[index % CITIES.length] ?? ['Reno', 'US', 'USD']
      const branch = Math.floor(index / NAMES.length)
      return {
        id: index + 1,
        name: [NAMES[index % NAMES.length] ?? '', ...(branch > 0 ? [`No. ${branch + 1}`] : [])].join(' '),
        'address.city': city,
        'address.country': country,
        '2nd contact': index % 3 === 0 ? 'Front desk: ask for "Sam"' : null,
        'EDI-ID': index % 4 === 0 ? null : `EDI${random.integer(100_000, 999_999)}`,
        payment_terms: random.pick(TERMS),
        rating: index % 5 === 0 ? null : random.integer(2, 5),
        currency,
        'active?': index % 9 === 8 ? 'N' : 'Y',
        created_at: index < 6 ? timestamp(OPENED - 400 * DAY) : null,
        createdAt: timestamp(OPENED + index * 9 * DAY),
      }
    }),
  })
}

export function supplierItems({ variants }: Company): RawTable {
  const random = createRandom('erp.supplier_items')
  const offers = variants
    .filter(({ ships }) => ships)
    .flatMap((variant) => {
      const main = { variant, supplier: mainSupplier(variant), isMain: true }
      if (variant.number % 5 !== 0) return [main]
      return [main, { variant, supplier: (main.supplier % SUPPLIERS) + 1, isMain: false }]
    })
  return defineTable({
    name: 'supplier_items',
    key: ['supplier_id', 'sku'],
    comment: 'Which supplier offers which item, and at what price',
    columns: {
      supplier_id: 'integer not null references erp.suppliers (id)',
      sku: 'varchar not null references erp.items (sku)',
      'lead time': 'interval not null',
      minOrderQty: 'integer not null check ("minOrderQty" > 0)',
      unitPrice: 'decimal(12, 4) not null',
      isPreferred: 'tinyint not null check ("isPreferred" in (0, 1))',
      valid_to: 'date',
    },
    rows: offers.map(({ isMain, supplier, variant }) => ({
      supplier_id: supplier,
      sku: variant.sku,
      'lead time': `${random.integer(7, 75)} days`,
      minOrderQty: random.pick([6, 12, 24, 48]),
      unitPrice: exact(unitCost(variant) + (isMain ? 0 : 3500)),
      isPreferred: isMain ? 1 : 0,
      valid_to: isMain ? null : day(LAST_EVENT + 120 * DAY),
    })),
  })
}
