import type { Company } from '../../company/company.ts'
import { type Store, STORES } from '../../company/places.ts'
import { groupsOf } from '../../company/products.ts'
import { createRandom } from '../../random.ts'
import { defineTable, type RawTable } from '../../raw-table.ts'
import { DAY, day, HOUR, NOW, OPENED, timestamp } from '../../time.ts'

/** The value of one unit of foreign currencies in US dollars at the opening. */
const RATES: Readonly<Record<string, number>> = { CAD: 0.73, EUR: 1.07, GBP: 1.26, NOK: 0.094 }

export function currencies(): RawTable {
  const rows: readonly (readonly [code: string, name: string, places: number])[] = [
    ['USD', 'US dollar', 2],
    ['CAD', 'Canadian dollar', 2],
    ['EUR', 'Euro', 2],
    ['GBP', 'Pound sterling', 2],
    ['NOK', 'Norwegian krone', 2],
    ['JPY', 'Yen', 0],
  ]
  return defineTable({
    name: 'currencies',
    key: ['code'],
    comment: 'Currencies of ISO 4217 that we buy in',
    columns: {
      code: 'varchar',
      name: 'varchar not null unique',
      'decimal places': 'tinyint not null check ("decimal places" between 0 and 4)',
    },
    rows: rows.map(([code, name, places]) => ({ code, name, 'decimal places': places })),
  })
}

/** The rates of each week. A script of the finance team loads them from a file of the central bank. */
export function exchangeRates(): RawTable {
  const random = createRandom('erp.exchange_rates')
  const weeks = Array.from({ length: Math.floor((NOW - OPENED) / (7 * DAY)) }, (_, week) => week)
  return defineTable({
    name: 'exchange_rates',
    key: ['currency', 'rate date'],
    comment: `Value of one unit in US dollars: weekly, from the central bank's file`,
    columns: {
      currency: 'varchar not null references erp.currencies (code)',
      'rate date': 'date not null',
      rate: 'decimal(18, 8) not null check (rate > 0)',
      source: 'varchar',
      _loaded_at: 'timestamptz not null',
    },
    comments: { 'rate date': 'Monday of the week\nThe rate holds until the next one' },
    rows: Object.entries(RATES).flatMap(([currency, base]) =>
      weeks.map((week) => ({
        currency,
        'rate date': day(OPENED + week * 7 * DAY),
        rate: ((base * (9_600 + random.integer(0, 800))) / 10_000).toFixed(8),
        source: week < 10 ? null : 'ECB',
        _loaded_at: timestamp(OPENED + week * 7 * DAY + 17 * HOUR),
      })),
    ),
  })
}

/** Returns the site that serves a store, or the online shop. */
export function siteOf(store: Store | undefined): string {
  return store?.code ?? 'DC01'
}

export function sites(): RawTable {
  return defineTable({
    name: 'sites',
    key: ['code'],
    comment: 'Stores and warehouses',
    columns: {
      code: 'varchar',
      name: 'varchar not null',
      kind: "varchar not null check (kind in ('store', 'warehouse'))",
      address: 'struct(street varchar, city varchar, region varchar, "postal code" varchar)',
      opens: 'time',
      closes: 'time',
      'time zone': 'varchar not null',
      'closed on': 'date',
    },
    comments: {
      opens: 'Local time, e.g. "09:30"',
      kind: `store or warehouse; pop-ups are 'store'`,
    },
    rows: STORES.map((store) => ({
      code: store.code,
      name: store.name,
      kind: store.isShop ? 'store' : 'warehouse',
      address: {
        street: store.street,
        city: store.place.city,
        region: store.place.region,
        'postal code': store.place.postalCode,
      },
      opens: store.isShop ? '09:30:00' : '06:00:00',
      closes: store.isShop ? '19:00:00' : '22:30:00',
      'time zone': store.place.region === 'MN' ? 'America/Chicago' : 'America/Los_Angeles',
      'closed on': store.closedAt === undefined ? null : day(store.closedAt),
    })),
  })
}

/** The choices that forms offer. */
export function choices(): RawTable {
  const lists: Readonly<Record<string, readonly string[]>> = {
    'order status': ['draft', 'sent', 'partly received', 'received', 'cancelled'],
    'payment terms': ['net 30', 'net 60', 'prepaid', "supplier's choice"],
    condition: ['ok', 'damaged', "supplier's error"],
  }
  return defineTable({
    name: 'select',
    key: ['list', 'value'],
    comment: 'Choices of the drop-down fields, see C:\\erp\\forms\\*.frm',
    columns: {
      list: 'varchar not null',
      value: 'varchar not null',
      order: 'smallint not null check ("order" >= 0)',
      default: 'boolean not null',
    },
    comments: { order: '# of the choice, from the top: 0 is the first' },
    rows: Object.entries(lists).flatMap(([list, values]) =>
      values.map((value, order) => ({ list, value, order, default: order === 0 })),
    ),
  })
}

/** Merchandising groups under three departments. */
export function groups({ products }: Company): RawTable {
  const departments = ['gear', 'clothing', 'other']
  const departmentOf = (group: string): string => {
    if (['outerwear', 'apparel', 'footwear', 'accessories'].includes(group)) return 'clothing'
    return group === 'gifts' ? 'other' : 'gear'
  }
  return defineTable({
    name: 'Group',
    key: ['code'],
    comment: 'Tree of item groups.\nDepartments have no parent.',
    refersToItself: true,
    columns: {
      code: 'varchar',
      parentCode: 'varchar references erp."Group" (code)',
      title: 'varchar not null',
      order: 'integer not null',
    },
    rows: [...departments, ...groupsOf(products)].map((code, order) => ({
      code,
      parentCode: departments.includes(code) ? null : departmentOf(code),
      title: code.charAt(0).toUpperCase() + code.slice(1),
      order,
    })),
  })
}
