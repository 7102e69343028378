import { existsSync, readFileSync } from 'node:fs'

/** What a run of schemathesis and its panel left in their folder. */
export interface RunReport {
  /** The number of operations that were tested. */
  readonly tested: number
  readonly failures: readonly OperationFailure[]
  /** Operations that answered with success at least once. */
  readonly succeeded: readonly string[]
  /** The faults that the panel logged. */
  readonly bugs: readonly string[]
  readonly cases: number
}

/** The failures of one operation, each with the curl line that repeats it. */
export interface OperationFailure {
  readonly operation: string
  readonly text: string
}

/** What the panel writes when it closes. */
export interface PanelReport {
  readonly succeeded: readonly string[]
  readonly bugs: readonly string[]
}

/** Reads the reports in `folder`; throws with the end of the output if the run did not come to its end. */
export function readReport(folder: string): RunReport {
  const [summary, junit, panel] = ['report.json', 'junit.xml', 'panel.json'].map((name) =>
    existsSync(`${folder}/${name}`) ? readFileSync(`${folder}/${name}`, 'utf8') : undefined,
  )
  if (summary === undefined || junit === undefined || panel === undefined)
    throw new Error(`schemathesis did not come to its end:\n${endOfOutput(folder)}`)
  const { complete, operations, test_cases, errors } = JSON.parse(summary)
  if (complete !== true || errors.length > 0)
    throw new Error(`schemathesis failed: ${JSON.stringify(errors)}\n${endOfOutput(folder)}`)
  const { succeeded, bugs }: PanelReport = JSON.parse(panel)
  return {
    tested: operations.tested,
    failures: failuresOf(junit),
    succeeded,
    bugs,
    cases: test_cases.generated,
  }
}

/** Reads the failures from a JUnit report as schemathesis writes it. */
export function failuresOf(junit: string): readonly OperationFailure[] {
  return junit.split('<testcase ').flatMap((part) => {
    const operation = plain(/^name="([^"]*)"/.exec(part)?.[1] ?? '')
    return [...part.matchAll(/<(?:failure|error)\b[^>]*>([^<]*)</g)].map(([, text = '']) => ({
      operation,
      text: plain(text),
    }))
  })
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

const plain = (text: string): string =>
  text.replaceAll(/&(lt|gt|quot|apos|amp|#\d+);/g, (whole, name: string) =>
    name.startsWith('#') ? String.fromCodePoint(Number(name.slice(1))) : (entities[name] ?? whole),
  )

const endOfOutput = (folder: string): string =>
  existsSync(`${folder}/output.txt`) ? readFileSync(`${folder}/output.txt`, 'utf8').slice(-4000) : ''
