export { type LocatedFault } from './faults.ts'
export { check, type Checked, invalid, type Schema, validate } from './validate.ts'
