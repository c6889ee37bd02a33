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
