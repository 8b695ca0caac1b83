// Writes a Brotli and a gzip file beside each text file of the built site, at the highest compression.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const [folder] = process.argv.slice(2);
for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
  if (!entry.isFile() || !/\.(js|css|svg|html|json|webmanifest|txt)$/.test(entry.name)) continue;
  const path = join(entry.parentPath, entry.name);
  const content = readFileSync(path);
  // Smaller files gain nothing from compression.
  if (content.length < 200) continue;
  writeFileSync(`${path}.br`, brotliCompressSync(content));
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
}
