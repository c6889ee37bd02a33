import { splitWords } from '../split-words.ts'
import { COMMON_RESERVED, type WordRules } from '../word-rules.ts'

/** Reserved words in addition to the common ones. */
const RESERVED: readonly string[] = splitWords(`
  accessible add alter analyze asensitive before bigint binary blob both call cascade change char
  character check collate column condition constraint continue convert cume_dist current_date
  current_time current_timestamp current_user cursor database databases day_hour day_microsecond
  day_minute day_second dec decimal declare delayed dense_rank describe deterministic distinctrow
  div double dual each elseif empty enclosed escaped exit explain fetch first_value float float4
  float8 force fulltext generated get grant grouping groups high_priority hour_microsecond
  hour_minute hour_second if ignore index infile inout insensitive int int1 int2 int3 int4 int8
  integer interval io_after_gtids io_before_gtids iterate json_table key keys kill lag last_value
  lateral lead leading leave linear lines load localtime localtimestamp lock long longblob
  longtext loop low_priority master_bind master_ssl_verify_server_cert match maxvalue mediumblob
  mediumint mediumtext middleint minute_microsecond minute_second mod modifies no_write_to_binlog
  nth_value ntile numeric of offset optimize optimizer_costs option optionally out outfile over
  partition percent_rank precision procedure purge range rank read read_write reads real recursive
  regexp release rename repeat replace require resignal restrict return returning revoke rlike
  row_number rows schema schemas second_microsecond sensitive separator show signal smallint
  spatial specific sql sql_big_result sql_calc_found_rows sql_small_result sqlexception sqlstate
  sqlwarning ssl starting stored straight_join system terminated tinyblob tinyint tinytext
  trailing trigger undo unlock unsigned usage use utc_date utc_time utc_timestamp varbinary
  varchar varcharacter varying virtual while window write xor year_month zerofill
`)

export const words: WordRules = {
  pages: [
    'https://dev.mysql.com/doc/refman/8.4/en/keywords.html',
    'https://mariadb.com/kb/en/reserved-words/',
  ],
  reserved: new Set([...COMMON_RESERVED, ...RESERVED]),
  evaluated: new Set([
    'current_date',
    'current_role',
    'current_time',
    'current_timestamp',
    'current_user',
    'localtime',
    'localtimestamp',
    'utc_date',
    'utc_time',
    'utc_timestamp',
  ]),
}
