# Tools of the sciences: sequences, maps, molecules.

[samtools]
out any

# Here an operand is what is written: the first of `merge`, the last of the others.
[samtools merge, samtools markdup, samtools fixmate, samtools collate, samtools rmdup]
flags -r -n -u -f -c -p -s -S -m -M
values -@ --threads -l -O --output-fmt -R -h
-b -L LIST : file.read(LIST)
-T PREFIX : file.write(series(PREFIX))
-o --output OUT : file.write(OUT)
args FILE... : file.read(FILE), file.write(FILE), file.write(series(FILE)), web.fetch(only(FILE, '(https?|s3|gs|ftp):.*'))
out <file>

[samtools view, samtools sort, samtools calmd, samtools addreplacerg, samtools reheader, samtools cat, samtools consensus, samtools ampliconclip]
flags -b -h -H -c -C -u -1 -S -B -n -r -M -p -x -X -P
values -q -F -f -G -e -s -l -O --output-fmt -@ --threads -m -K --input-fmt-option --output-fmt-option --subsample --subsample-seed -d --tag
-D --tag-file TAGS : file.read(after(TAGS, ':'))
-L -N -R -t --read-group-file --regions-file --targets-file --qname-file LIST : file.read(LIST)
-T --reference REFERENCE : file.read(REFERENCE), file.write(series(REFERENCE))
-o -U --output OUT : file.write(OUT)
args FILE... : file.read(FILE) if not FILE~'(https?|s3|gs|ftp):.*', web.fetch(only(FILE, '(https?|s3|gs|ftp):.*'))
out <file>

[samtools index]
flags -b --bai -c --csi -M
values -m --min-shift -@ --threads
-o --output OUT : file.write(OUT)
args FILE WORD... : file.read(FILE), file.write(series(FILE)), file.read(WORD), file.write(series(WORD)), web.fetch(only(FILE, '(https?|s3|gs|ftp):.*')), web.fetch(only(WORD, '(https?|s3|gs|ftp):.*'))
out <file>

[samtools faidx, samtools dict, samtools fqidx]
flags -c --continue -i --reverse-complement
values -@ --threads -n --length --mark-strand --assembly --species --uri
-o --output --fai-idx OUT : file.write(OUT)
-r --region-file LIST : file.read(LIST)
args FILE WORD... : file.read(FILE), file.write(series(FILE)), file.write(only(WORD, '.*[.](bai|csi|crai|fai)')), web.fetch(only(FILE, '(https?|s3|gs|ftp):.*'))
out <file>

[samtools flagstat, samtools stats, samtools idxstats, samtools depth, samtools coverage, samtools quickcheck, samtools bedcov, samtools head, samtools tview, samtools mpileup, samtools flags, samtools samples]
flags -a -aa -A -H -J -s -v -B -E -x -X
values -q -Q -d -r -O --output-fmt -@ --threads -F -f -g -G -h -n -i -c -w -D --ff --rf
-b -l -t --positions -R LIST : file.read(LIST)
--reference --fasta-ref FILE_ : file.read(FILE_)
-o --output OUT : file.write(OUT)
args FILE... : file.read(FILE) if not FILE~'(https?|s3|gs|ftp):.*', web.fetch(only(FILE, '(https?|s3|gs|ftp):.*'))
out <file>

[samtools fastq, samtools fasta, samtools split]
flags -n -N -O -i -a
values -F -f -G -@ --threads -T -v -c
-0 -1 -2 -s -o OUT : file.write(OUT)
args FILE : file.read(FILE) if not FILE~'(https?|s3|gs|ftp):.*', file.write(series(stem(FILE))) if not FILE~'(https?|s3|gs|ftp):.*', web.fetch(only(FILE, '(https?|s3|gs|ftp):.*'))
out <file>

[bcftools]
out any

[bcftools view, bcftools norm, bcftools filter, bcftools annotate, bcftools concat, bcftools merge, bcftools reheader, bcftools sort, bcftools consensus, bcftools mpileup, bcftools query, bcftools stats, bcftools gtcheck, bcftools csq, bcftools head]
flags -H -h -G -I -U -c -a -D -n -x -l --no-version --force-samples -A -B -E
values -O --output-type -i --include -e --exclude -r --regions -t --targets -s --samples -f --format --threads -q -Q --min-ac -m --types -V --ploidy -d -g -C --columns --set-id --check-ref -M
flags -k -p
-v _
-W --write-index FORMAT_? : file.write(series(OUT))
-R --regions-file -T --targets-file -S --samples-file --fasta-ref --annotations --header-lines --rename-chrs --file-list --reference LIST : file.read(LIST)
-o --output OUT : file.write(OUT)
args FILE... : file.read(FILE) if not FILE~'(https?|s3|gs|ftp):.*', web.fetch(only(FILE, '(https?|s3|gs|ftp):.*'))
out <file>

[bcftools call]
flags -m -v -c -A -M -N --variants-only --multiallelic-caller --consensus-caller --keep-alts
values -O --output-type --ploidy -r --regions -t --targets -s --samples --threads -p --pval-threshold -P --prior -i --insert-missed -a --annotate -g --gvcf -V --skip-variants
-R --regions-file -T --targets-file -S --samples-file --ploidy-file LIST : file.read(LIST)
-W --write-index FORMAT_? : file.write(series(OUT))
-o --output OUT : file.write(OUT)
args FILE... : file.read(FILE) if not FILE~'(https?|s3|gs|ftp):.*', web.fetch(only(FILE, '(https?|s3|gs|ftp):.*'))
out <file>

[bcftools index]
values --threads -m --min-shift
flags -c --csi -t --tbi -f --force -n --nrecords -s --stats -a --all
-o --output OUT : file.write(OUT)
args FILE... : file.read(FILE), file.write(series(FILE)), web.fetch(only(FILE, '(https?|s3|gs|ftp):.*'))
out <file>

[bcftools isec]
flags -C --complement
values --threads -c --collapse -n --nfiles -O --output-type -r --regions -t --targets -i --include -e --exclude -w --write
-R --regions-file -T --targets-file LIST : file.read(LIST)
-o --output OUT : file.write(OUT)
-p --prefix DIR : file.write(under(DIR))
args FILE... : file.read(FILE) if not FILE~'(https?|s3|gs|ftp):.*', web.fetch(only(FILE, '(https?|s3|gs|ftp):.*'))
out <file>

[bedtools]
out any

[bedtools intersect, bedtools merge, bedtools sort, bedtools subtract, bedtools closest, bedtools coverage, bedtools genomecov, bedtools window, bedtools complement, bedtools flank, bedtools slop, bedtools shift, bedtools map, bedtools groupby, bedtools jaccard, bedtools cluster, bedtools makewindows, bedtools bamtobed, bedtools bedtobam, bedtools random, bedtools shuffle, bedtools annotate, bedtools multicov, bedtools multiinter, bedtools unionbedg, bedtools nuc, bedtools reldist, bedtools fisher, bedtools sample]
style long
flags -wa -wb -wo -wao -loj -u -v -s -S -sorted -r -e -split -header -bg -bga -pc -hist -mean -counts -nonamecheck -filenames -pct -bed -io -iu -id
values -f -F -d -c -o -t -strand -n -w -l -seed -scale -max -k -D -iobuf -ops -grp -opCols
-a -b -i -ibam -g -bams -fi -excl -incl -abam FILE_ : file.read(FILE_)
args FILE... : file.read(FILE)
out <file>

[bedtools getfasta, bedtools maskfasta]
style long
flags -name -name+ -nameOnly -split -tab -bedOut -s -rna -fullHeader -soft
-fi -bed FILE_ : file.read(FILE_), file.write(series(FILE_))
-fo OUT : file.write(OUT)
out <file>

[gdalinfo, ogrinfo, gdalsrsinfo, gdallocationinfo]
style long
flags -json -nogcp -nomd -norat -noct -checksum -proj4 -al -so -ro -q -geom=NO -wgs84 -valonly -xml -V -e -p -mm
values -mdd -sd -oo -if -where -fid -limit -wkt_format -o -b -dialect
-l_srs SRS : file.read(SRS) if not SRS~'(?i)(epsg|esri|iau(_[0-9]+)?|ogc|urn|crs):.*|[+].*|[a-z0-9_]+\[.*|wgs84|wgs72|nad27|nad83|none'
-stats -approx_stats -hist : file.write(suffix(FILE, '.aux.xml'))
-sql SQL : file.write(FILE) if not SQL~'(?i) *(select|with|pragma|explain).*'
args FILE WORD... : file.read(tree(FILE)) if not FILE~'(?i)(https?:|/vsicurl/|wms:|pg:).*', web.fetch(only(FILE, '(?i)(https?:|/vsicurl/|wms:).*')), net.connect(only(FILE, '(?i)(pg|mysql|mssql|mongodbv3|oci|wfs):.*|/vsi(s3|gs|az|oss|swift|curl|webhdfs).*'))
env GDAL_DRIVER_PATH GDAL_PYTHON_DRIVER_PATH GDAL_VRT_ENABLE_PYTHON : opaque 'a variable makes GDAL load code'
out <file>

[gdal_translate, gdalwarp, gdal_rasterize, gdal_contour, gdaldem, gdal_grid, gdal_polygonize.py, gdal_merge.py, gdaladdo, gdalbuildvrt, gdaltindex, ogr2ogr, gdal_sieve.py, gdal_proximity.py]
style long
flags -q -overwrite -append -update -strict -multi -explodecollections -skipfailures -progress -unsetgt -nogcp -compute_edges -at -3d -nomd -upsert -addfields -preserve_fid -makevalid -ro -clean -crop_to_cutline -tap -dstalpha -srcalpha -separate
values -of -f -co -ot -b -r -tr -ts -dstnodata -srcnodata -a_nodata -wo -wm -nln -nlt -lco -dsco -oo -doo -select -where -sql -dialect -gt -fid -limit -simplify -segmentize -zfield -i -a -burn -l -init --type --NoDataValue -expand -mo -colorinterp -z -s -az -alt -fl -off -order -refine_gcps -clipsrcsql -clipdstsql -resolution
-te -projwin -srcwin -spat -a_ullr _ _ _ _
-a_srs -s_srs -t_srs -te_srs SRS : file.read(SRS) if not SRS~'(?i)(epsg|esri|iau(_[0-9]+)?|ogc|urn|crs):.*|[+].*|[a-z0-9_]+\[.*|wgs84|wgs72|nad27|nad83|none'
-stats : file.write(suffix(FILE, '.aux.xml'))
-outsize _ _
-scale
-cutline -clipsrc -clipdst -input_file_list -A -B FILE_ : file.read(tree(FILE_))
-o --outfile OUT_ : file.write(OUT_)
--config KEY _ : opaque 'GDAL loads code' if KEY~'(?i).*(python|driver_path|module).*'
env GDAL_DRIVER_PATH GDAL_PYTHON_DRIVER_PATH GDAL_VRT_ENABLE_PYTHON : opaque 'a variable makes GDAL load code'
--optfile CONFIG : opaque 'options are read from a file'
args FILE... OUT : file.read(tree(FILE)), file.read(tree(OUT)), file.write(tree(OUT)), file.write(suffix(OUT, '.aux.xml')) if not PROGRAM=='ogr2ogr', file.write(tree(FILE)) if PROGRAM~'ogr2ogr|gdaladdo|gdalbuildvrt|gdaltindex',
 net.connect(only(FILE, '(?i)(pg|mysql|mssql|mongodbv3|oci):.*')), net.connect(only(OUT, '(?i)(pg|mysql|mssql|mongodbv3|oci):.*')), web.fetch(only(FILE, '(?i)(https?:|/vsicurl/|wms:).*'))
out any

[seqkit, seqtk]
out any

[seqkit stats, seqkit seq, seqkit grep, seqkit head, seqkit sample, seqkit fx2tab, seqkit tab2fx, seqkit rmdup, seqkit sort, seqkit subseq, seqkit translate, seqkit fq2fa, seqkit locate, seqkit common, seqkit concat, seqkit replace, seqkit rename, seqkit watch, seqkit faidx, seqkit range, seqkit shuffle, seqkit comp, seqkit fqchk, seqkit mergepe, seqkit mutfa, seqkit size]
flags -a --all -T --tabular -n --name -i --only-id -s --by-seq -r -v --invert-match -g -u -C -1 -2 -N -U -c -A -q --quiet -b
values -p --pattern -m --min-len -M --max-len -w --line-width -j --threads --seed -P -t --seq-type -l -Q -e -L -k -B -H
-f --pattern-file --bed --gtf --kv-file LIST : file.read(LIST)
-o --out-file OUT : file.write(OUT)
args WORD... : file.read(WORD)
out <file>

[blastn, blastp, blastx, tblastn, tblastx, psiblast]
style long
flags -html -parse_deflines -no_greedy -ungapped -lcase_masking -show_gis
values -evalue -outfmt -num_threads -max_target_seqs -word_size -perc_identity -task -max_hsps -gapopen -gapextend -matrix -seg -dust -strand -qcov_hsp_perc -num_alignments -num_descriptions -culling_limit -num_iterations -reward -penalty -entrez_query -taxids
-query -subject -in_pssm -gilist -taxidlist FILE_ : file.read(FILE_)
-db DATABASE : file.read(series(DATABASE))
-out -out_pssm -out_ascii_pssm OUT : file.write(OUT)
-remote : api.call('blast.ncbi.nlm.nih.gov')
out <file>

[makeblastdb]
style long
flags -parse_seqids -hash_index
values -dbtype -title -input_type -blastdb_version -max_file_sz -taxid
-in -taxid_map -mask_data FILE_ : file.read(FILE_), file.write(series(FILE_)) if not -out
-out OUT : file.write(series(OUT))
-logfile LOG : file.write(LOG), file.write(suffix(LOG, '.perf'))
out any

[STAR]
style long
--readFilesCommand --sysShell COMMAND : run(COMMAND)
else workfiles(VALUE, OPERANDS)
args WORD...
do workfiles(WORD)
out any

[bwa, bowtie2, minimap2, hisat2, salmon, kallisto, fastqc, muscle, mafft, iqtree, iqtree2, iqtree3, FastTree, FastTreeMP, fasttree, raxml, hmmsearch, vcftools, plink, featureCounts, macs2, macs3, deeptools, bamCoverage, bamCompare, computeMatrix, plotHeatmap, plotProfile, plotCorrelation, plotFingerprint, multiBamSummary, obabel, osmium, trimmomatic, fastp, cutadapt, kraken2, bracken, prodigal, prokka, spades.py, megahit, quast]
style long
else workfiles(VALUE, OPERANDS)
args WORD...
do workfiles(WORD)
out any

[multiqc, gatk, snpEff, busco, picard]
else workfiles(VALUE, OPERANDS), net.connect()
args WORD...
do net.connect(), workfiles(WORD)
out any

[esearch, efetch, elink, esummary, einfo, epost, xtract, prefetch, fasterq-dump, fastq-dump, datasets]
style long
-outfile -o --filename -O --outdir --output-directory OUT : file.write(tree(OUT))
-input --inputfile FILE_ : file.read(FILE_)
--config -cmd COMMAND : opaque 'an option names settings or a program'
else field(OPTION, VALUE)
args WORD...
do net.connect('eutils.ncbi.nlm.nih.gov'), file.write(under('.')) if PROGRAM~'prefetch|fasterq-dump|fastq-dump|datasets'
out <net>
