import { splitWords } from '../split-words.ts'
import { COMMON_RESERVED, type WordRules } from '../word-rules.ts'

/** Reserved words in addition to the common ones. */
const RESERVED: readonly string[] = splitWords(`
  aes128 aes256 allowoverwrite analyse analyze append array authorization az64 binary blanksasnull
  both bytedict check collate column comprows compupdate constraint credentials current_date
  current_time current_timestamp current_user current_user_id datashare datetime deferrable defrag
  delimiters delta delta32k disable do emptyasnull enable encrypt encryption explicit_ids
  fillrecord freeze globaldict256 globaldict64k grant identity ignore ignoreblanklines
  ignoreheader ilike initially isnull leading localtime localtimestamp lun luns lzo minus mostly16
  mostly32 mostly8 new notnull nulls off offset oid old only open overlaps parallel partition
  percent permissions pivot placing raw readratio recover rejectlog resort respect restore
  runlength session_user similar snapshot some sysdate system tag tdes text255 text32k timestamp
  top trailing truncatecolumns unload unnest unpivot user verbose within without
`)

export const words: WordRules = {
  pages: ['https://docs.aws.amazon.com/redshift/latest/dg/r_pg_keywords.html'],
  reserved: new Set([...COMMON_RESERVED, ...RESERVED]),
  evaluated: new Set([
    'current_date',
    'current_time',
    'current_timestamp',
    'current_user',
    'current_user_id',
    'localtime',
    'localtimestamp',
    'session_user',
    'sysdate',
    'user',
  ]),
}
