/** Numbers by chance that are the same in every run: of a row, below a bound. */
function chance(row: string, salt: number, below: number | string): string {
  return `(hash(${row} * 31 + ${salt}) % (${below})::ubigint)::bigint`
}

/** A text of some words by chance. */
function words(row: string, count: number): string {
  const list =
    "['quick','silent','ironic','final','regular','express','bold','pending','deposits','requests','accounts','packages','ideas','asymptotes','foxes','pearls','theodolites','platelets','sleep','haggle','nag','wake','cajole','detect']"
  const word = (at: number): string => `${list}[1 + ${chance(row, 900 + at, 24)}]`
  return Array.from({ length: count }, (_, at) => word(at)).join(" || ' ' || ")
}

function money(row: string, salt: number, below: number): string {
  return `(${chance(row, salt, below * 100)} / 100)::decimal(15, 2)`
}

function oneOf(row: string, salt: number, values: readonly string[]): string {
  return `[${values.map((value) => `'${value}'`).join(', ')}][1 + ${chance(row, salt, values.length)}]`
}

function code(prefix: string, number: string): string {
  return `'${prefix}#' || lpad((${number})::varchar, 9, '0')`
}

const REGIONS = ['AFRICA', 'AMERICA', 'ASIA', 'EUROPE', 'MIDDLE EAST']
const SEGMENTS = ['AUTOMOBILE', 'BUILDING', 'FURNITURE', 'HOUSEHOLD', 'MACHINERY']
const PRIORITIES = ['1-URGENT', '2-HIGH', '3-MEDIUM', '4-NOT SPECIFIED', '5-LOW']
const MODES = ['AIR', 'FOB', 'MAIL', 'RAIL', 'REG AIR', 'SHIP', 'TRUCK']
const INSTRUCTIONS = ['COLLECT COD', 'DELIVER IN PERSON', 'NONE', 'TAKE BACK RETURN']
const CONTAINERS = ['JUMBO BAG', 'LG BOX', 'MED CAN', 'SM CASE', 'WRAP PKG']

/**
 * Makes tables of orders with the names, types and sizes of TPC-H, keys not declared. They hold made-up values that are the
 * same in every run.
 *
 * @param scale 1 makes 8.66 million rows.
 */
export async function loadOrders(run: (sql: string) => Promise<unknown>, scale: number): Promise<void> {
  const rows = (count: number): number => Math.max(1, Math.round(count * scale))
  const [customers, suppliers, parts, orders] = [rows(150_000), rows(10_000), rows(200_000), rows(1_500_000)]
  const phone = (row: string): string => `lpad(${chance(row, 7, 10_000_000_000)}::varchar, 10, '0')`
  const statements = [
    `create table region as select i::integer as r_regionkey, [${REGIONS.map((one) => `'${one}'`).join(', ')}][1 + i] as r_name,
       ${words('i', 6)} as r_comment from range(5) t(i)`,
    `create table nation as select i::integer as n_nationkey, 'NATION ' || i as n_name, (i % 5)::integer as n_regionkey,
       ${words('i', 6)} as n_comment from range(25) t(i)`,
    `create table supplier as select (i + 1)::bigint as s_suppkey, ${code('Supplier', 'i + 1')} as s_name,
       ${words('i', 3)} as s_address, ${chance('i', 1, 25)}::integer as s_nationkey, ${phone('i')} as s_phone,
       ${money('i', 2, 10_000)} as s_acctbal, ${words('i', 8)} as s_comment from range(${suppliers}) t(i)`,
    `create table customer as select (i + 1)::bigint as c_custkey, ${code('Customer', 'i + 1')} as c_name,
       ${words('i', 3)} as c_address, ${chance('i', 1, 25)}::integer as c_nationkey, ${phone('i')} as c_phone,
       ${money('i', 2, 10_000)} as c_acctbal, ${oneOf('i', 3, SEGMENTS)} as c_mktsegment, ${words('i', 9)} as c_comment
       from range(${customers}) t(i)`,
    `create table part as select (i + 1)::bigint as p_partkey, ${words('i', 5)} as p_name,
       'Manufacturer#' || (1 + ${chance('i', 1, 5)}) as p_mfgr, 'Brand#' || (11 + ${chance('i', 2, 45)}) as p_brand,
       ${words('i', 3)} as p_type, (1 + ${chance('i', 3, 50)})::integer as p_size, ${oneOf('i', 4, CONTAINERS)} as p_container,
       ${money('i', 5, 2_000)} as p_retailprice, ${words('i', 2)} as p_comment from range(${parts}) t(i)`,
    `create table partsupp as select (1 + i // 4)::bigint as ps_partkey,
       (1 + (i // 4 + (i % 4) * ${Math.max(1, Math.floor(suppliers / 4))}) % ${suppliers})::bigint as ps_suppkey,
       (1 + ${chance('i', 1, 9_999)})::integer as ps_availqty, ${money('i', 2, 1_000)} as ps_supplycost,
       ${words('i', 16)} as ps_comment from range(${parts * 4}) t(i)`,
    `create table orders as select (1 + i // 8 * 32 + i % 8)::bigint as o_orderkey,
       (1 + ${chance('i', 1, customers)} // 3 * 3 % ${customers})::bigint as o_custkey,
       ${oneOf('i', 2, ['F', 'O', 'P'])} as o_orderstatus, ${money('i', 3, 500_000)} as o_totalprice,
       date '1992-01-01' + ${chance('i', 4, 2_405)}::integer as o_orderdate, ${oneOf('i', 5, PRIORITIES)} as o_orderpriority,
       ${code('Clerk', chance('i', 6, rows(1_000)))} as o_clerk, 0::integer as o_shippriority, ${words('i', 6)} as o_comment
       from range(${orders}) t(i)`,
    `create table lineitem as
     with lines as (select o_orderkey, o_orderdate, unnest(range(1, 2 + ${chance('o_orderkey', 1, 7)})) as line from orders),
       rows as (select *, o_orderkey * 8 + line as i from lines)
     select o_orderkey as l_orderkey, (1 + ${chance('i', 2, parts)})::bigint as l_partkey,
       (1 + ${chance('i', 3, suppliers)})::bigint as l_suppkey, line::integer as l_linenumber,
       (1 + ${chance('i', 4, 50)})::decimal(15, 2) as l_quantity, ${money('i', 5, 100_000)} as l_extendedprice,
       (${chance('i', 6, 11)} / 100)::decimal(15, 2) as l_discount, (${chance('i', 7, 9)} / 100)::decimal(15, 2) as l_tax,
       ${oneOf('i', 8, ['A', 'N', 'R'])} as l_returnflag, ${oneOf('i', 9, ['F', 'O'])} as l_linestatus,
       o_orderdate + (1 + ${chance('i', 10, 121)})::integer as l_shipdate, o_orderdate + (30 + ${chance('i', 11, 60)})::integer as l_commitdate,
       o_orderdate + (2 + ${chance('i', 12, 150)})::integer as l_receiptdate, ${oneOf('i', 13, INSTRUCTIONS)} as l_shipinstruct,
       ${oneOf('i', 14, MODES)} as l_shipmode, ${words('i', 3)} as l_comment
     from rows`,
  ]
  for (const sql of statements) await run(sql)
}
