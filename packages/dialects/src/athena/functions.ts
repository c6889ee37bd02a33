import type { FunctionRules } from '../function-rules.ts'
import { functions as ofTrino } from '../trino/functions.ts'

/** Athena engine version 3 has the functions of Trino. */
export const functions: FunctionRules = {
  ...ofTrino,
  pages: ['https://docs.aws.amazon.com/athena/latest/ug/functions-env3.html'],
}
