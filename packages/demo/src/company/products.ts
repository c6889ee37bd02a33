import type { Random } from '../random.ts'

/** An article of the shop, in its colors and sizes. */
export interface Product {
  /** 1, 2, 3 … */
  readonly number: number
  readonly title: string
  readonly handle: string
  readonly type: string
  /** The merchandising group: `tents`. */
  readonly group: string
  readonly vendor: string
  readonly variants: readonly Variant[]
}

export interface Variant {
  /** 1, 2, 3 … over all products. */
  readonly number: number
  readonly product: Omit<Product, 'variants'>
  readonly sku: string
  /** Only for products that are shipped. */
  readonly barcode: string | undefined
  readonly color: string
  readonly size: string
  /** In cents. */
  readonly price: number
  readonly grams: number
  readonly ships: boolean
}

const ONE_SIZE = ['One size']
const CLOTHES = ['S', 'M', 'L', 'XL']
const SHOES = ['38', '40', '42', '44']

const NORTHLIGHT = 'Northlight'
const VENDORS = [NORTHLIGHT, NORTHLIGHT, 'Fjellkraft', 'Cascade & Sons', 'Petit Nord', "Miller's Wool"]

interface Range {
  readonly group: string
  readonly type: string
  readonly sizes: readonly string[]
  readonly colors: readonly string[]
  /** Title, price in cents and weight in grams. */
  readonly items: readonly (readonly [title: string, price: number, grams: number])[]
}

const RANGES: readonly Range[] = [
  {
    group: 'tents',
    type: 'Tent',
    sizes: ONE_SIZE,
    colors: ['Moss', 'Sand'],
    items: [
      ['Fjell 2 Tent', 34900, 2150],
      ['Skyline 4 Family Tent', 52900, 6800],
      ['Cove Tarp', 11900, 780],
    ],
  },
  {
    group: 'sleep',
    type: 'Sleeping Gear',
    sizes: ['Regular', 'Long'],
    colors: ['Midnight'],
    items: [
      ['Aurora 650 Sleeping Bag', 27900, 1120],
      ['Aurora 850 Sleeping Bag', 42900, 1340],
      ['Drift Sleeping Pad', 12900, 540],
    ],
  },
  {
    group: 'packs',
    type: 'Backpack',
    sizes: ONE_SIZE,
    colors: ['Slate', 'Rust', 'Moss'],
    items: [
      ['Ridge 45L Pack', 18900, 1480],
      ['Summit 28L Daypack', 9900, 790],
      ['Harbor 60L Duffel', 12900, 1250],
    ],
  },
  {
    group: 'outerwear',
    type: 'Jacket',
    sizes: CLOTHES,
    colors: ['Black', 'Glacier'],
    items: [
      ['Aurora Down Jacket', 28900, 430],
      ['Drizzle Rain Shell', 17900, 310],
      ['Basin Fleece Hoodie', 8900, 420],
    ],
  },
  {
    group: 'apparel',
    type: 'Clothing',
    sizes: CLOTHES,
    colors: ['Charcoal', 'Forest'],
    items: [
      ['Merino Base Layer Top', 7900, 190],
      ['Trail Softshell Pants', 10900, 380],
      ['Lookout Flannel Shirt', 6900, 340],
      ['Switchback Shorts', 5900, 210],
    ],
  },
  {
    group: 'footwear',
    type: 'Shoes',
    sizes: SHOES,
    colors: ['Granite', 'Chestnut'],
    items: [
      ['Granite Hiking Boot', 21900, 1240],
      ['Pace Trail Runner', 13900, 610],
    ],
  },
  {
    group: 'accessories',
    type: 'Accessory',
    sizes: ONE_SIZE,
    colors: ['Charcoal', 'Ember', 'Oat'],
    items: [
      ['Wool Beanie', 2900, 80],
      ['Merino Crew Socks', 1900, 70],
      ['Summit Gloves', 4900, 120],
    ],
  },
  {
    group: 'kitchen',
    type: 'Camp Kitchen',
    sizes: ONE_SIZE,
    colors: ['Steel'],
    items: [
      ['Ember Stove', 8900, 260],
      ['Titanium Cook Set', 11900, 390],
      ['Insulated Bottle 1L', 3900, 410],
      ['Camp Mug', 1600, 130],
      ['Clearwater Filter', 4500, 85],
    ],
  },
  {
    group: 'light',
    type: 'Lighting',
    sizes: ONE_SIZE,
    colors: ['Black'],
    items: [
      ['Polaris Headlamp', 5400, 92],
      ['Cove Lantern', 4200, 310],
    ],
  },
  {
    group: 'snow',
    type: 'Snow Gear',
    sizes: ['22"', '25"', '30"'],
    colors: ['Red'],
    items: [['Drift Snowshoes', 18900, 1950]],
  },
  {
    group: 'gifts',
    type: 'Gift Card',
    sizes: ['$25', '$50', '$100'],
    colors: ['Digital'],
    items: [['Northlight Gift Card', 5000, 0]],
  },
]

export function createProducts(random: Random): readonly Product[] {
  const items = RANGES.flatMap((range) => range.items.map((item) => ({ range, item })))
  let variants = 0
  return items.map(({ item: [title, price, grams], range }, index) => {
    const product = {
      number: index + 1,
      title,
      handle: title.toLowerCase().replaceAll(' ', '-'),
      type: range.type,
      group: range.group,
      vendor: range.group === 'gifts' ? NORTHLIGHT : random.pick(VENDORS),
    }
    const options = range.colors.flatMap((color) => range.sizes.map((size) => ({ color, size })))
    return {
      ...product,
      variants: options.map(({ color, size }, position) => {
        const number = ++variants
        const ships = range.group !== 'gifts'
        return {
          number,
          product,
          sku: `NL-${range.group.slice(0, 2).toUpperCase()}${100 + product.number}-${position + 1}`,
          barcode: ships ? `0850042${String(number).padStart(6, '0')}` : undefined,
          color,
          size,
          price: size.startsWith('$') ? Number(size.slice(1)) * 100 : price,
          grams,
          ships,
        }
      }),
    }
  })
}

/** Returns the merchandising groups, in the order of their first products. */
export function groupsOf(products: readonly Product[]): readonly string[] {
  return [...new Set(products.map(({ group }) => group))]
}
