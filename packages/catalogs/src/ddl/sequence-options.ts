import type { Cursor } from '../sql/cursor.ts'

const WITH_VALUE = [['MINVALUE'], ['MAXVALUE'], ['INCREMENT', 'BY'], ['START', 'WITH'], ['CACHE']] as const

const WITHOUT_VALUE =
  'NOMINVALUE NOMAXVALUE NOCACHE NOORDER ORDER NOCYCLE CYCLE NOKEEP KEEP NOSCALE SCALE'.split(' ')

/** Skips the options of a sequence, which Oracle prints after an identity without brackets. */
export function skipSequenceOptions(cursor: Cursor): void {
  for (;;) {
    if (WITH_VALUE.some((words) => cursor.skip(...words))) {
      cursor.skipSymbol('-')
      cursor.next()
    } else if (!WITHOUT_VALUE.some((word) => cursor.skip(word))) return
  }
}
