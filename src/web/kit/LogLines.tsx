import { useEffect, useRef } from 'react'
import classes from './LogLines.module.css'
import { plainText } from './plain-text.ts'

interface LogLinesProps {
  readonly lines: readonly string[]
  readonly label: string
  readonly isFollowing?: boolean
}

/** Log lines of a program; follows the end unless the reader has scrolled up. */
export function LogLines({ lines, label, isFollowing = false }: LogLinesProps) {
  const box = useRef<HTMLPreElement>(null)
  const isAtEnd = useRef(true)
  useEffect(() => {
    if (isFollowing && isAtEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [lines, isFollowing])
  const remember = () => {
    const { scrollTop, clientHeight, scrollHeight } = box.current as HTMLPreElement
    isAtEnd.current = scrollTop + clientHeight > scrollHeight - 40
  }
  return (
    <pre ref={box} className={classes.lines} tabIndex={0} role="log" aria-label={label} onScroll={remember}>
      {lines.map(plainText).join('\n')}
    </pre>
  )
}
