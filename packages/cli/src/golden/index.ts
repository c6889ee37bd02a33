export { findCases, type GoldenCase, type GoldenInput } from './golden-case.ts'
export { describeDifference } from './report.ts'
export {
  type GoldenDifference,
  type GoldenFiles,
  type GoldenResult,
  produce,
  runCase,
  runGolden,
} from './run-golden.ts'
