/** The ways in which an expression loses information. */
export const LOSSES = {
  part: 'it keeps only part of the value',
  rounding: 'it rounds the value',
  clock: 'the time of day is dropped',
  day: 'the day is dropped',
  zone: 'the time zone is dropped',
  case: 'upper and lower case become the same',
  spelling: 'it changes letters of the value',
  cut: 'longer texts are cut off',
  hash: 'it cannot be reversed',
  nulls: 'unreadable values become null',
  filled: 'null becomes a value',
  category: 'several values become one',
  unlisted: 'values that it does not list become one',
  others: 'it uses values of other columns',
  zeros: 'values that are not numbers become 0',
  unit: 'its unit of time is a guess, which neither the name nor the comment confirms',
} as const

export type Loss = keyof typeof LOSSES

/** The arguments that become the value of a call. */
type Flow =
  /** The first argument that reads a column; the others may only read the same column. */
  | 'one'
  /** Any argument: concatenated texts, added days. */
  | 'any'
  /** The first argument; the next ones if it is null. */
  | 'first'
  /** The first argument; all others are constants. */
  | 'alone'

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}

const BY_LOSS: Readonly<Partial<Record<Loss, string>>> = {
  part: `left right substr substring substringutf8 mid split_part substring_index regexp_extract regexp_substr
    json_extract json_extract_string json_extract_scalar json_value json_query json_extract_path
    json_extract_path_text jsonb_extract_path jsonb_extract_path_text get_json_object parse_url get get_path
    element_at try_element_at list_extract list_element array_extract struct_extract arrayelement
    jsonextract jsonextractstring jsonextractint jsonextractuint jsonextractfloat jsonextractbool
    jsonextractraw simplejsonextractstring visitparamextractstring variant_get try_variant_get
    date_part datepart extract year quarter month week day hour minute second dayofweek dayofmonth dayofyear
    day_of_week day_of_month day_of_year datename dayname monthname toyear tomonth todayofmonth todayofweek
    todayofyear tohour tominute tosecond toquarter toisoweek toyyyymm toyyyymmdd weekofyear weekday
    week_iso weekiso isodow strtok domain url_extract_host regexp_match regexp_instr regexpextract
    json_extract_array_element_text length len char_length character_length octet_length lengthutf8
    array_length array_size cardinality json_array_length jsonb_array_length json_length jsonlength size
    charindex strpos instr position locate patindex ascii unicode codepoint datalength strlen sign mod modulo
    date_format format_date format_datetime
    format_timestamp formatdatetime strftime to_char time datediff date_diff datetime_diff timestamp_diff
    timestampdiff datediff_big age regexp_count json_type find_in_set field stuff yearofweek microsecond
    millisecond`,
  rounding: `round floor ceil ceiling trunc truncate div intdiv date_trunc datetrunc datetime_trunc
    timestamp_trunc tostartofday tostartofhour tostartofminute tostartofmonth tostartofquarter
    tostartofweek tostartofyear tomonday last_day last_day_of_month tolastdayofmonth eomonth
    date_bin add_months unix_timestamp tounixtimestamp unix_seconds unix_date epoch
    unixepoch int bigint to_number to_decimal to_numeric makedate next_day previous_day
    str toint8 toint16 toint32 toint64 touint8 touint16 touint32 touint64`,
  clock: 'date todate to_date todate32',
  case: 'lower upper initcap lowerutf8 upperutf8',
  cut: 'lpad rpad leftpad rightpad leftpadutf8 rightpadutf8',
  spelling: `replace regexp_replace replaceall replaceone
    replaceregexpall replaceregexpone translate normalize strip_accents soundex`,
  hash: `md5 md5_hex md5_binary sha sha1 sha1_hex sha1_binary sha2 sha2_hex sha2_binary sha224 sha256 sha384 sha512
    hash hashbytes checksum crc32 xxhash64 siphash64 cityhash64 farm_fingerprint func_sha1`,
  nulls: `try_to_boolean try_to_date try_to_decimal try_to_double try_to_number try_to_numeric try_to_time
    try_to_timestamp try_to_timestamp_ntz try_to_timestamp_tz try_to_timestamp_ltz try_strptime
    try_parse_json try_to_binary parsedatetimebesteffortornull parsedatetime64besteffortornull toint64ornull toint32ornull
    toint16ornull toint8ornull touint64ornull touint32ornull touint16ornull touint8ornull tofloat64ornull
    tofloat32ornull todateornull todate32ornull todatetimeornull todatetime64ornull todecimal64ornull
    todecimal32ornull todecimal128ornull touuidornull str_to_date safe_divide try_divide div0 div0null`,
  filled: 'coalesce ifnull nvl isnull zeroifnull',
  category: `nullifzero greatest least abs contains starts_with startswith
    ends_with endswith regexp_like rlike regexp_matches regexp_full_match regexp_contains match empty
    notempty equal_null isnotnull json_exists jsonhas is_null_value contains_substr prefix suffix
    list_contains array_contains has json_valid isjson is_valid_json is_valid_json_array
    is_json_scalar concat_ws pow power square`,
}

const BY_FLOW: Readonly<Partial<Record<Flow, string>>> = {
  any: `concat concat_ws concatwithseparator dateadd date_add date_sub adddate subdate timestampadd timestamp_add
    timestamp_sub datetime_add datetime_sub adddays addhours addminutes addmonths addseconds addweeks
    addyears subtractdays subtracthours subtractmonths subtractseconds subtractyears add_months datediff
    date_diff datetime_diff timestamp_diff timestampdiff datediff_big timediff safe_divide div0 div0null try_divide
    ieee_divide div intdiv power pow mod modulo make_date make_timestamp date_from_parts datefromparts
    makedate make_interval timeadd timestamp date datetime editdistance levenshtein levenshtein_distance
    md5 sha1 sha2 sha256 hash xxhash64 cityhash64 siphash64 checksum`,
  first: 'coalesce ifnull nvl isnull',
  alone: `nullif greatest least replace regexp_replace replaceall replaceone replaceregexpall replaceregexpone
    translate lpad rpad leftpad rightpad leftpadutf8 rightpadutf8 round trunc truncate split_part
    substring_index json_extract json_value json_query get get_path split stuff`,
}

function index<Key extends string>(lists: Readonly<Partial<Record<Key, string>>>): ReadonlyMap<string, Key> {
  const entries = Object.entries(lists) as [Key, string][]
  return new Map(entries.flatMap(([key, list]) => words(list).map((name) => [name, key])))
}

const LOSS_OF = index(BY_LOSS)
const FLOW_OF = index(BY_FLOW)

/** Returns the part of its value that a call loses; undefined if the call can be reversed. */
export function lossOf(name: string): Loss | undefined {
  return LOSS_OF.get(name.toLowerCase())
}

/** Returns the arguments of a call that become its value. */
export function flowOf(name: string): Flow {
  return FLOW_OF.get(name.toLowerCase()) ?? 'one'
}

/** Functions that need a column as an argument, because without one they return the current time. */
export const READS_TIME =
  /^(?:date|time|datetime|julianday|unixepoch|strftime|timestamp|unix_timestamp|to_\w*(?:date|time)\w*|try_to_\w*(?:date|time)\w*|to(?:date|start|unix|time)\w*|parse\w*|date_\w+|datetime_\w+|timestamp_\w+|str_to_date|strptime|try_strptime|from_\w+|convert_tz|convert_timezone|dateadd|date_diff|datediff)$/i

/** Functions that read their arguments as numbers, in warehouses that convert text silently. */
export const READS_NUMBERS: ReadonlySet<string> = new Set(
  words(`abs acos asin atan atan2 ceil ceiling cos cot degrees div exp floor from_days from_unixtime ln log log10 log2
    mod pow power radians round sec_to_time sign sin sqrt tan trunc truncate`),
)

/** The greatest length to which a number may extend a text. */
export const LONGEST_PAD = 1000

/** Functions with a number that sets the length of the text. */
export const PADS: ReadonlySet<string> = new Set(
  words('lpad rpad leftpad rightpad leftpadutf8 rightpadutf8 str'),
)

/** Functions that replace one text by another, and so may lengthen it many times. */
export const REPLACERS: ReadonlySet<string> = new Set(
  words(
    'replace regexp_replace replaceall replaceone replaceregexpall replaceregexpone translate stuff array_to_string',
  ),
)

/** Functions whose second argument is a regular expression, and operators of that kind. */
export const MATCHERS: ReadonlySet<string> = new Set(
  words(`regexp_replace regexp_extract regexp_substr regexp_like regexp_matches regexp_full_match regexp_contains
    regexp_instr regexp_count regexp_match regexp_split_to_array regexp_extract_all rlike match extract
    replaceregexpall replaceregexpone regexpextract ~ ~* !~ !~* regexp`),
)
