const most = 100

/** Reads the recommendations at the end of a report of mysqltuner; undefined if it did not come so far. */
export function recommendationsIn(report: string): readonly string[] | undefined {
  const start = report.search(/^-+ Recommendations -+$/m)
  if (start === -1) return undefined
  return report
    .slice(start)
    .split('\n')
    .slice(1)
    .filter((line) => /^ {4}\S/.test(line))
    .map((line) => line.trim().slice(0, 500))
    .slice(0, most)
}
