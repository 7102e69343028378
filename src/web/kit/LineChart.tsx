import { Group, Text } from '@mantine/core'
import { type PointerEvent, useState } from 'react'
import { type ChartPoint, nearest, roundAbove, unbroken } from './chart-scale.ts'
import { formatClock } from './format.ts'
import classes from './LineChart.module.css'

export interface ChartSeries {
  readonly label: string
  readonly points: readonly ChartPoint[]
}

interface LineChartProps {
  /** The accessible description of the chart. */
  readonly label: string
  /** One or two series. */
  readonly series: readonly ChartSeries[]
  readonly from: number
  readonly to: number
  readonly format: (value: number) => string
  /** Byte values are scaled by powers of two. */
  readonly isBinary?: boolean
  /** The top of the scale; default: a round number above all values. */
  readonly top?: number
  /** A longer interval between two points is a gap in the line. */
  readonly gapMs: number
  /** Writes the times of the axis; default: the time of day. */
  readonly formatTime?: (time: number) => string
}

const width = 1000
const height = 180

/** A line chart; the values at the pointer are shown below it. */
export function LineChart({
  label,
  series,
  from,
  to,
  format,
  isBinary = false,
  gapMs,
  formatTime = formatClock,
  ...scale
}: LineChartProps) {
  const [at, setAt] = useState<number>()
  const top = scale.top ?? topOf(series, isBinary ? 2 : 10)
  const x = (time: number) => ((time - from) / (to - from)) * width
  const y = (value: number) => height - (value / top) * height
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    setAt(from + ((event.clientX - box.left) / box.width) * (to - from))
  }
  const read = at ?? to
  return (
    <div>
      <Group gap="md" mb={8}>
        {series.map((each, index) => {
          const found = nearest(each.points, read)
          return (
            <span key={each.label} className={classes.key}>
              <span className={classes.swatch} data-series={index} />
              {each.label}
              <Text span size="sm" fw={650} c="var(--mantine-color-text)">
                {found ? format(found.value) : '–'}
              </Text>
            </span>
          )
        })}
      </Group>
      <div className={classes.frame}>
        <svg
          className={classes.chart}
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${label}: ${series.map((each) => textOf(each, format)).join('; ')}`}
          onPointerMove={point}
          onPointerLeave={() => setAt(undefined)}
        >
          {[0, 0.5, 1].map((part) => (
            <line
              key={part}
              className={classes.grid}
              x1={0}
              x2={width}
              y1={height * part}
              y2={height * part}
              vectorEffect="non-scaling-stroke"
            />
          ))}
          {series.map((each, index) =>
            unbroken(each.points, gapMs).map((part) => (
              <Part key={`${index} ${part[0]?.at}`} part={part} index={index} x={x} y={y} />
            )),
          )}
          {at !== undefined && (
            <line
              className={classes.cursor}
              x1={x(at)}
              x2={x(at)}
              y1={0}
              y2={height}
              vectorEffect="non-scaling-stroke"
            />
          )}
        </svg>
        <span className={classes.scale} style={{ top: 4 }}>
          {format(top)}
        </span>
        <span className={classes.scale} style={{ top: height / 2 + 4 }}>
          {format(top / 2)}
        </span>
      </div>
      <div className={classes.axis} aria-hidden>
        <span>{formatTime(from)}</span>
        <span>{at === undefined ? '' : formatTime(at)}</span>
        <span>{formatTime(to)}</span>
      </div>
    </div>
  )
}

interface PartProps {
  readonly part: readonly ChartPoint[]
  readonly index: number
  readonly x: (at: number) => number
  readonly y: (value: number) => number
}

function Part({ part, index, x, y }: PartProps) {
  const corners = part.map(({ at, value }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`)
  const [first, last] = [part[0] as ChartPoint, part.at(-1) as ChartPoint]
  return (
    <>
      <polygon
        className={classes.area}
        data-series={index}
        points={`${x(first.at)},${height} ${corners.join(' ')} ${x(last.at)},${height}`}
      />
      <polyline className={classes.line} data-series={index} points={corners.join(' ')} />
    </>
  )
}

const topOf = (series: readonly ChartSeries[], base: 2 | 10) =>
  roundAbove(Math.max(0, ...series.flatMap(({ points }) => points.map(({ value }) => value))), base)

function textOf({ label, points }: ChartSeries, format: (value: number) => string): string {
  const values = points.map(({ value }) => value)
  return values.length === 0
    ? `${label}: no data yet`
    : `${label}: ${format(values.at(-1) as number)} now, ${format(Math.max(...values))} at most`
}
