import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, test } from 'node:test'
import { failuresOf, readReport } from './report.ts'

const junit = `<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="schemathesis">
<testcase name="POST /api/users" time="0.9">
  <failure type="failure" message="ST103">1. Test Case ID: 3yoWNE

    curl -d '{&quot;a&quot;: &quot;&lt;b&gt; &amp;amp;&quot;}' http://127.0.0.1/</failure>
</testcase>
<testcase name="GET /api/version" time="0.1" />
</testsuite></testsuites>`

describe('the report of schemathesis', () => {
  test('names the operation of each failure, with the curl line as it was written', () => {
    const [failure, ...others] = failuresOf(junit)
    assert.deepEqual([failure?.operation, others], ['POST /api/users', []])
    assert.ok(failure?.text.endsWith(`curl -d '{"a": "<b> &amp;"}' http://127.0.0.1/`))
  })

  test('is refused with the end of the output if the run did not come to its end', () => {
    const folder = mkdtempSync(`${tmpdir()}/hostreeve-report-`)
    try {
      writeFileSync(`${folder}/output.txt`, 'no such option')
      assert.throws(() => readReport(folder), /did not come to its end:\nno such option/)
      const summary = { complete: true, operations: { tested: 2 }, test_cases: { generated: 9 }, errors: [] }
      writeFileSync(`${folder}/junit.xml`, junit)
      writeFileSync(`${folder}/panel.json`, JSON.stringify({ succeeded: [], bugs: [] }))
      writeFileSync(
        `${folder}/report.json`,
        JSON.stringify({ ...summary, errors: [{ title: 'Hook Error' }] }),
      )
      assert.throws(() => readReport(folder), /Hook Error/)
      writeFileSync(`${folder}/report.json`, JSON.stringify(summary))
      assert.deepEqual([readReport(folder).tested, readReport(folder).failures.length], [2, 1])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
