export { faultAt, type LocatedFault, unknownKey } from './faults.ts'
export { check, type Checked, type Schema, validate } from './validate.ts'
