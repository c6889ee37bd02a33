/** Draws hourly values as a line, newest on the right; nothing without values. */
export function Spark({ label, values }: { readonly label: string; readonly values: readonly number[] }) {
  const most = Math.max(...values)
  const points = values.map(
    (value, index) =>
      `${(index / (values.length - 1)) * WIDTH},${HEIGHT - (value / Math.max(most, 1)) * HEIGHT}`,
  )
  return (
    <svg
      class="spark"
      role="img"
      aria-label={label}
      viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`}
      preserveAspectRatio="none"
    >
      <polyline points={points.join(' ')} />
    </svg>
  )
}

const WIDTH = 120
const HEIGHT = 24
