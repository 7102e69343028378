import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { partsOfPatch } from './patch.ts'

const patch = `diff --git a/a.txt b/a.txt
index 1..2 100644
--- a/a.txt
+++ b/a.txt
@@ -1 +1 @@
-one
+two
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-diff --git is no head here
diff --git a/old name b/new name
similarity index 100%
rename from old name
rename to new name
diff --git a/x.png b/x.png
Binary files a/x.png and b/x.png differ
`

describe('a patch of git', () => {
  it('comes apart file by file, each under its name', () => {
    assert.deepEqual(
      partsOfPatch(patch).map(({ path }) => path),
      ['a.txt', 'gone', 'new name', 'x.png'],
    )
    assert.equal(partsOfPatch(patch)[0]?.diff, '@@ -1 +1 @@\n-one\n+two\n')
    assert.match(partsOfPatch(patch)[3]?.diff ?? '', /Binary files/)
  })

  it('is nothing where there is no change', () => assert.deepEqual(partsOfPatch(''), []))
})
