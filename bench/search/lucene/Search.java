import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.QueryBuilder;

/**
 * Lucene as most people run it: EnglishAnalyzer, BM25 with its defaults, one field, a query as a bag of words.
 * Arguments: a folder with documents.tsv and queries.tsv (id, tab, text), how many hits a
 * query gets for the measures, and how many queries are timed.
 * Writes hits.tsv (query, tab, ids by rank) there and prints one line of JSON. One thread throughout.
 */
public class Search {
  private static final int PAGE = 20;
  private static final int WARM_UP = 2;
  private static final int ROUNDS = 5;

  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    int depth = Integer.parseInt(arguments[1]);
    int timed = Integer.parseInt(arguments[2]);
    try (EnglishAnalyzer analyzer = new EnglishAnalyzer(); Directory directory = FSDirectory.open(folder.resolve("index"))) {
      long start = System.nanoTime();
      build(directory, analyzer, folder.resolve("documents.tsv"));
      double seconds = (System.nanoTime() - start) / 1e9;
      try (IndexReader reader = DirectoryReader.open(directory)) {
        IndexSearcher searcher = new IndexSearcher(reader);
        searcher.setSimilarity(new BM25Similarity());
        QueryBuilder queries = new QueryBuilder(analyzer);
        List<String[]> asked = rows(folder.resolve("queries.tsv"));
        write(searcher, queries, asked, folder.resolve("hits.tsv"), depth);
        double[] times = time(searcher, queries, asked.subList(0, Math.min(timed, asked.size())));
        System.gc();
        Runtime memory = Runtime.getRuntime();
        System.out.printf("{\"build\":%.3f,\"p50\":%.4f,\"p99\":%.4f,\"heap\":%d,\"disk\":%d}%n", seconds,
            times[times.length / 2], times[(int) (times.length * 0.99)], memory.totalMemory() - memory.freeMemory(), size(directory));
      }
    }
  }

  private static void build(Directory directory, EnglishAnalyzer analyzer, Path documents) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig(analyzer).setSimilarity(new BM25Similarity());
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (String[] row : rows(documents)) {
        Document document = new Document();
        document.add(new StringField("id", row[0], Field.Store.YES));
        document.add(new TextField("text", row[1], Field.Store.NO));
        writer.addDocument(document);
      }
    }
  }

  private static List<String[]> rows(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file, StandardCharsets.UTF_8)) {
      return lines.map(line -> line.split("\t", 2)).toList();
    }
  }

  private static ScoreDoc[] search(IndexSearcher searcher, QueryBuilder queries, String text, int limit) throws IOException {
    Query query = queries.createBooleanQuery("text", text);
    return query == null ? new ScoreDoc[0] : searcher.search(query, limit).scoreDocs;
  }

  private static void write(IndexSearcher searcher, QueryBuilder queries, List<String[]> asked, Path file, int depth) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (String[] query : asked) {
        StringBuilder line = new StringBuilder(query[0]);
        for (ScoreDoc hit : search(searcher, queries, query[1], depth)) {
          line.append('\t').append(searcher.storedFields().document(hit.doc).get("id"));
        }
        out.write(line.append('\n').toString());
      }
    }
  }

  /** Milliseconds per query with the ids of a page read: the least of the rounds after the JVM has warmed up. */
  private static double[] time(IndexSearcher searcher, QueryBuilder queries, List<String[]> asked) throws IOException {
    double[] times = new double[asked.size()];
    Arrays.fill(times, Double.MAX_VALUE);
    for (int round = 0; round < WARM_UP + ROUNDS; round++) {
      for (int i = 0; i < times.length; i++) {
        long start = System.nanoTime();
        for (ScoreDoc hit : search(searcher, queries, asked.get(i)[1], PAGE)) {
          searcher.storedFields().document(hit.doc).get("id");
        }
        if (round >= WARM_UP) times[i] = Math.min(times[i], (System.nanoTime() - start) / 1e6);
      }
    }
    Arrays.sort(times);
    return times;
  }

  private static long size(Directory directory) throws IOException {
    long bytes = 0;
    for (String name : directory.listAll()) bytes += directory.fileLength(name);
    return bytes;
  }
}
