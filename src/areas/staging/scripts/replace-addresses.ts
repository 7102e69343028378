/** Begins the line that the script prints at its end. */
export const mark = 'hostreeve:'

/**
 * Replaces addresses in all text of a database. It reads one JSON object from standard input: `mode` is replace or check; `names` become
 * `to`, with `scheme`; `paths` become `folder`. Serialised data is rewritten as text, as `unserialize` would make objects of what it contains.
 */
export const replaceAddresses = `<?php
$in = json_decode(stream_get_contents(STDIN), true, 8, JSON_THROW_ON_ERROR);
mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);

$names = implode('|', array_map(static fn ($name) => preg_quote($name, '~'), $in['names']));
// //name, also as JSON and URLs encode it; the name ends there
$address = '~(?:https?(:|%3A))?(//|\\\\\\\\/\\\\\\\\/|%2F%2F)(?:' . $names . ')(?![A-Za-z0-9-]|\\.[A-Za-z0-9])~i';

function plainly(string $text): string {
    global $in, $address;
    $found = preg_replace_callback(
        $address,
        static fn ($part) => ($part[1] === '' ? '' : $in['scheme'] . $part[1]) . $part[2] . $in['to'],
        $text
    );
    return str_replace($in['paths'], $in['folder'], $found ?? $text);
}

function replaced(string $text): string {
    if (preg_match('/\\A(?:[aOC]:\\d+:|s:\\d+:")/', $text)) {
        $at = 0;
        $found = rewritten($text, $at, false, 0);
        // what is damaged already would have wrong lengths besides
        return $found !== null && $at === strlen($text) ? $found : $text;
    }
    return plainly($text);
}

/** Returns one value of serialised text with what is replaced in it, and moves behind it; null if it is none. */
function rewritten(string $text, int &$at, bool $is_kept, int $depth): ?string {
    if ($depth > 250) {
        return null;
    }
    $take = static function (string $pattern) use ($text, &$at): ?array {
        if (!preg_match($pattern, $text, $found, 0, $at)) {
            return null;
        }
        $at += strlen($found[0]);
        return $found;
    };
    $bytes = static function (int $length) use ($text, &$at): ?string {
        if ($length > strlen($text) - $at) {
            return null;
        }
        $at += $length;
        return substr($text, $at - $length, $length);
    };
    switch ($text[$at] ?? '') {
        case 'N':
            return $take('/\\GN;/')[0] ?? null;
        case 'b':
        case 'i':
        case 'd':
        case 'r':
        case 'R':
            return $take('/\\G[bidrR]:[^;{}"]+;/')[0] ?? null;
        case 'E':
            return $take('/\\GE:\\d+:"[^"]+";/')[0] ?? null;
        case 's':
            $head = $take('/\\Gs:(\\d+):"/');
            $value = $head === null ? null : $bytes((int) $head[1]);
            if ($value === null || $take('/\\G";/') === null) {
                return null;
            }
            $value = $is_kept ? $value : replaced($value);
            return 's:' . strlen($value) . ':"' . $value . '";';
        case 'C':
            $head = $take('/\\GC:\\d+:"[^"]+":(\\d+):\\{/');
            $value = $head === null ? null : $bytes((int) $head[1]);
            return $value === null || $take('/\\G\\}/') === null ? null : $head[0] . $value . '}';
        case 'a':
        case 'O':
            $head = $take('/\\G(?:a|O:\\d+:"[^"]+"):(\\d+):\\{/');
            if ($head === null) {
                return null;
            }
            $all = $head[0];
            for ($left = (int) $head[1]; $left > 0; $left--) {
                $key = rewritten($text, $at, true, $depth + 1);
                $value = $key === null ? null : rewritten($text, $at, false, $depth + 1);
                if ($value === null) {
                    return null;
                }
                $all .= $key . $value;
            }
            return $take('/\\G\\}/') === null ? null : $all . '}';
    }
    return null;
}

function tell(array $outcome): void {
    echo "\\n${mark}", json_encode($outcome), "\\n";
    exit(0);
}

$db = new mysqli('localhost', $in['username'], $in['password'], $in['database']);
$db->set_charset('utf8mb4');
$quoted = static fn (string $name): string => '\`' . str_replace('\`', '\`\`', $name) . '\`';
$run = static function (string $statement, array $values) use ($db) {
    $prepared = $db->prepare($statement);
    if ($values !== []) {
        $prepared->bind_param(str_repeat('s', count($values)), ...$values);
    }
    $prepared->execute();
    return $prepared->get_result();
};

$count = 0;
foreach ($db->query("show full tables where Table_type = 'BASE TABLE'")->fetch_all() as [$table]) {
    [$texts, $keys, $all] = [[], [], []];
    foreach ($db->query('show columns from ' . $quoted($table))->fetch_all(MYSQLI_ASSOC) as $column) {
        $all[] = $column['Field'];
        if ($column['Key'] === 'PRI') {
            $keys[] = $column['Field'];
        } elseif (preg_match('/^(?:char|varchar|(?:tiny|medium|long)?(?:text|blob)|json)/i', $column['Type'])
            && !preg_match('/generated|virtual|persistent|stored/i', $column['Extra'])) {
            $texts[] = $column['Field'];
        }
    }
    if ($texts === []) {
        continue;
    }
    $sought = [...$in['names'], ...$in['paths']];
    $conditions = [];
    $values = [];
    foreach ($texts as $text) {
        foreach ($sought as $each) {
            $conditions[] = 'instr(' . $quoted($text) . ', ?) > 0';
            $values[] = $each;
        }
    }
    $where = '(' . implode(' or ', $conditions) . ')';
    $has_keys = $keys !== [];
    $columns = implode(', ', array_map($quoted, $has_keys ? [...$keys, ...$texts] : $all));
    $order = implode(', ', array_map($quoted, $keys));
    $last = null;
    do {
        $after = $last === null ? '' : " and ($order) > (" . implode(', ', array_fill(0, count($last), '?')) . ')';
        $limit = $has_keys ? " order by $order limit 200" : '';
        $rows = $run("select $columns from " . $quoted($table) . " where $where$after$limit", [...$values, ...($last ?? [])])
            ->fetch_all(MYSQLI_ASSOC);
        foreach ($rows as $row) {
            $last = array_map(static fn ($key) => (string) $row[$key], $keys);
            $new = [];
            foreach ($texts as $text) {
                $is_changed = $row[$text] !== null && ($value = replaced((string) $row[$text])) !== (string) $row[$text];
                if ($is_changed) {
                    $new[$text] = $value;
                }
            }
            if ($new === []) {
                continue;
            }
            $count += count($new);
            if ($in['mode'] === 'check') {
                tell(['left' => $count]);
            }
            $set = implode(', ', array_map(static fn ($name) => $quoted($name) . ' = ?', array_keys($new)));
            $known = $has_keys ? $keys : $all;
            $same = implode(' and ', array_map(static fn ($name) => $quoted($name) . ' <=> ?', $known));
            $run(
                'update ' . $quoted($table) . " set $set where $same limit 1",
                [...array_values($new), ...array_map(static fn ($name) => $row[$name], $known)]
            );
        }
    } while ($has_keys && count($rows) === 200);
}
tell(['left' => 0, 'replaced' => $count]);
`
