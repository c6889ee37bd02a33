import type { Random } from '../random.ts'
import { PLACES, type Place, STREETS } from './places.ts'

export interface Person {
  readonly firstName: string
  readonly lastName: string
  readonly phone: string
  readonly street: string
  readonly place: Place
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

const FIRST_NAMES = words(`
  Ada Aiden Amara Anders Aisha Ben Björn Caleb Camila Carlos Chloé Clara Daniel Elena Eli Emma Ethan Farah
  Felix Fiona Grace Hana Henrik Ingrid Isaac Jada James Jamal José Julia Kai Kenji Leah Leon Lucía Maeve
  Marcus Mei Mia Nadia Noah Nora Olivia Omar Owen Priya Quinn Ravi Rosa Ruby Samuel Sofia Tariq Theo Uma
  Victor Wren Xavier Yara Zoë
`)

const LAST_NAMES = words(`
  Abbott Ahmed Anderson Bélanger Bennett Bergström Bianchi Boucher Campbell Carter Castillo Chen Cohen Das
  Dubois Evans Fischer Flores Gagnon García Hansen Hayes Hoang Ibrahim Jensen Johansson Johnson Kaur Keller
  Khan Kim Kowalski Lindqvist Lopez MacDonald Meyer Morales Müller Murphy Nakamura Nguyen Novak Núñez O'Brien
  O'Connor Okafor Okonkwo Olsen Patel Park Petersen Reyes Rossi Sato Schmidt Singh Smith Tremblay Walker Wong
`)

/**
 * Creates an invented person. Telephone numbers are in the range 555-0100 to 555-0199, which is reserved for
 * fiction.
 */
export function createPerson(random: Random): Person {
  return {
    firstName: random.pick(FIRST_NAMES),
    lastName: random.pick(LAST_NAMES),
    phone: `+1${random.integer(201, 989)}55501${random.integer(10, 99)}`,
    street: `${random.integer(1, 2400)} ${random.pick(STREETS)}`,
    place: random.pickEarly(PLACES),
  }
}

/**
 * Returns an address such as `zoe.obrien17@example.com`. The number distinguishes people with the same name.
 */
export function emailOf({ firstName, lastName }: Person, number: number, domain: string): string {
  return `${plain(firstName)}.${plain(lastName)}${number}@${domain}`
}

export function fullName({ firstName, lastName }: Person): string {
  return `${firstName} ${lastName}`
}

/** Returns the letters of a name without accents, in lower case. */
function plain(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
}
