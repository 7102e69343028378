import { Text } from '@mantine/core'
import classes from './Diff.module.css'

/** The change of a file, line by line. */
export function Diff({ path, diff }: { readonly path: string; readonly diff: string }) {
  return (
    <figure className={classes.figure}>
      <Text component="figcaption" size="xs" ff="monospace" className={classes.caption}>
        {path}
      </Text>
      <pre className={classes.lines} tabIndex={0} aria-label={`Changes of ${path}`}>
        {diff
          .replace(/\n$/, '')
          .split('\n')
          .map((line, index) => (
            <span key={index} className={classes.line} data-kind={kindOf(line)}>
              {line || ' '}
            </span>
          ))}
      </pre>
    </figure>
  )
}

function kindOf(line: string): string {
  if (line.startsWith('+++') || line.startsWith('---') || line.startsWith('@@')) return 'place'
  if (line.startsWith('+')) return 'added'
  return line.startsWith('-') ? 'removed' : 'same'
}
