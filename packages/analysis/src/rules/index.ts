import type { Rule } from '../rule.ts'
import { entryWithoutModel } from './entry-without-model.ts'
import { martReadsSource } from './mart-reads-source.ts'
import { missingReference } from './missing-reference.ts'
import { stagingJoinsSources } from './staging-joins-sources.ts'
import { stagingReadsOtherLayer } from './staging-reads-other-layer.ts'
import { stagingTwice } from './staging-twice.ts'
import { suppressionWithoutReason } from './suppression-without-reason.ts'
import { unreadableFile } from './unreadable-file.ts'
import { unusedSource } from './unused-source.ts'
import { unusedSuppression } from './unused-suppression.ts'

/** Every rule, in the order of ids. */
export const RULES: readonly Rule[] = [
  stagingReadsOtherLayer,
  stagingTwice,
  stagingJoinsSources,
  entryWithoutModel,
  missingReference,
  unusedSource,
  martReadsSource,
  suppressionWithoutReason,
  unusedSuppression,
  unreadableFile,
]
