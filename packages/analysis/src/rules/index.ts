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

import { chainedViews } from './chained-views.ts'
import { cycle } from './cycle.ts'
import { duplicateRelation } from './duplicate-relation.ts'
import { hardCodedRelation } from './hard-coded-relation.ts'
import { oldSpelling } from './old-spelling.ts'
import { publicWithoutContract } from './public-without-contract.ts'
import { rootWithoutSource } from './root-without-source.ts'
import { sourceWithoutFreshness } from './source-without-freshness.ts'
/** Every rule, in the order of ids. */
export const RULES: readonly Rule[] = [
  stagingReadsOtherLayer,
  stagingTwice,
  stagingJoinsSources,
  entryWithoutModel,
  oldSpelling,
  missingReference,
  unusedSource,
  hardCodedRelation,
  martReadsSource,
  rootWithoutSource,
  chainedViews,
  duplicateRelation,
  cycle,
  sourceWithoutFreshness,
  publicWithoutContract,
  suppressionWithoutReason,
  unusedSuppression,
  unreadableFile,
]
