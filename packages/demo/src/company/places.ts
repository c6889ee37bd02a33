import { DAY, NOW } from '../time.ts'

export interface Place {
  readonly city: string
  /** State or province, as its postal abbreviation. */
  readonly region: string
  readonly country: 'US' | 'CA'
  readonly postalCode: string
}

/** The home towns of customers, the most common first. */
export const PLACES: readonly Place[] = [
  { city: 'Minneapolis', region: 'MN', country: 'US', postalCode: '55401' },
  { city: 'Portland', region: 'OR', country: 'US', postalCode: '97205' },
  { city: 'Duluth', region: 'MN', country: 'US', postalCode: '55802' },
  { city: 'Seattle', region: 'WA', country: 'US', postalCode: '98101' },
  { city: 'Denver', region: 'CO', country: 'US', postalCode: '80202' },
  { city: 'Vancouver', region: 'BC', country: 'CA', postalCode: 'V6B 1A1' },
  { city: 'Boulder', region: 'CO', country: 'US', postalCode: '80302' },
  { city: 'Calgary', region: 'AB', country: 'CA', postalCode: 'T2P 1J9' },
  { city: 'Madison', region: 'WI', country: 'US', postalCode: '53703' },
  { city: 'Burlington', region: 'VT', country: 'US', postalCode: '05401' },
  { city: 'Salt Lake City', region: 'UT', country: 'US', postalCode: '84101' },
  { city: 'Montréal', region: 'QC', country: 'CA', postalCode: 'H2Y 1C6' },
  { city: 'Boise', region: 'ID', country: 'US', postalCode: '83702' },
  { city: "Coeur d'Alene", region: 'ID', country: 'US', postalCode: '83814' },
  { city: 'Chicago', region: 'IL', country: 'US', postalCode: '60601' },
  { city: 'Québec', region: 'QC', country: 'CA', postalCode: 'G1R 2B5' },
  { city: 'Anchorage', region: 'AK', country: 'US', postalCode: '99501' },
  { city: 'Asheville', region: 'NC', country: 'US', postalCode: '28801' },
  { city: 'Halifax', region: 'NS', country: 'CA', postalCode: 'B3H 1W5' },
  { city: 'Bozeman', region: 'MT', country: 'US', postalCode: '59715' },
]

export const STREETS: readonly string[] = [
  'Birch Street',
  'Lakeview Avenue',
  'Cedar Lane',
  'Old Mill Road',
  'Prospect Street',
  'Harbor Drive',
  'Juniper Court',
  'Second Avenue',
  'Larch Way',
  'Granite Ridge Road',
  "Miner's Trail",
  'Rue Saint-Paul',
  'Willow Bend',
  'Aspen Circle',
]

export interface Store {
  readonly code: string
  readonly name: string
  readonly street: string
  readonly place: Place
  /** Sells to customers; the others only ship. */
  readonly isShop: boolean
  /** The time at which it closed. */
  readonly closedAt: number | undefined
}

const store = (code: string, name: string, place: Place, rest: Partial<Store> = {}): Store => ({
  code,
  name,
  street: `${100 + code.length * 37} Main Street`,
  place,
  isShop: true,
  closedAt: undefined,
  ...rest,
})

export const STORES: readonly Store[] = [
  store('MSP1', 'Minneapolis North Loop', placeIn('Minneapolis'), { street: '212 Washington Avenue N' }),
  store('PDX1', 'Portland Pearl District', placeIn('Portland'), { street: '1108 NW Glisan Street' }),
  store('DEN1', 'Denver Union Station', placeIn('Denver'), { street: '1701 Wynkoop Street' }),
  store('YVR1', 'Vancouver Kitsilano', placeIn('Vancouver'), { street: '2250 West 4th Avenue' }),
  store('DLH1', 'Duluth Canal Park', placeIn('Duluth'), { street: '395 Lake Avenue S' }),
  store('BTV1', 'Burlington Pop-up', placeIn('Burlington'), {
    street: '47 Church Street',
    closedAt: NOW - 90 * DAY,
  }),
  store('DC01', 'Duluth Distribution Center', placeIn('Duluth'), {
    street: '4800 Rice Lake Road',
    isShop: false,
  }),
]

export const OPEN_STORES: readonly Store[] = STORES.filter(({ closedAt }) => closedAt === undefined)

function placeIn(city: string): Place {
  const place = PLACES.find((candidate) => candidate.city === city)
  if (!place) throw new RangeError(`expected a city of PLACES, got ${city}`)
  return place
}
