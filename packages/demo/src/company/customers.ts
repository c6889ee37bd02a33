import type { Random } from '../random.ts'
import { DAY, LAST_EVENT, OPENED, SECOND } from '../time.ts'
import { createPerson, emailOf, type Person } from './people.ts'

export interface Customer extends Person {
  /** 1, 2, 3 … in the order in which they joined. */
  readonly number: number
  readonly email: string
  readonly joinedAt: number
  readonly wantsNewsletter: boolean
  /** True if the customer asked to be forgotten: systems that delete rows have deleted this one. */
  readonly isForgotten: boolean
  /** The browser of the first visit. */
  readonly visitor: string
}

const CUSTOMERS = 600
const DOMAINS = ['example.com', 'example.com', 'example.org', 'example.net']

export function createCustomers(random: Random): readonly Customer[] {
  const span = (LAST_EVENT - 3 * DAY - OPENED) / SECOND
  const joined = Array.from({ length: CUSTOMERS }, () => OPENED + random.integer(0, span) * SECOND)
  return joined
    .toSorted((a, b) => a - b)
    .map((joinedAt, index) => {
      const person = createPerson(random)
      return {
        ...person,
        number: index + 1,
        email: emailOf(person, index + 1, random.pick(DOMAINS)),
        joinedAt,
        wantsNewsletter: random.chance(0.6),
        isForgotten: random.chance(0.02),
        visitor: random.uuid(),
      }
    })
}
