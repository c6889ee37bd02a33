export { profileTable, type Query, verifyBy } from './ask-warehouse.ts'
export { checkStatements, type CheckStatement, readChecks } from './check-statements.ts'
export { infer, type InferOptions } from './infer.ts'
export {
  type Check,
  type CheckResult,
  type ColumnsOf,
  type Inference,
  type InferenceOrigin,
  type InferenceTable,
  type Proposal,
  type ProposedKey,
  type ProposedReference,
  type Verify,
} from './inference.ts'
export { observeTables, type Observed, type ObserveOptions } from './observe.ts'
export { observedCatalog, observeIn, type ObserveCatalogOptions } from './observed-catalog.ts'
export {
  profileStatements,
  type ProfileStatement,
  readProfile,
  type ResultRow,
} from './profile-statements.ts'
