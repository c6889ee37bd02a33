import type { AddressDefaults } from './address.ts'

export const POSTGRES: AddressDefaults = {
  engine: 'PostgreSQL',
  form: 'postgres://user:password@host:5432/database',
  port: 5432,
}

export const MYSQL: AddressDefaults = {
  engine: 'MySQL',
  form: 'mysql://user:password@host:3306/database',
  port: 3306,
}
