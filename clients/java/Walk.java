// Walks the generated client through the requests of an application, and reports the steps that work.
import java.io.File;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tawthiq.ApiClient;
import tawthiq.ApiException;
import tawthiq.api.AuthenticationApi;
import tawthiq.api.FilesApi;
import tawthiq.api.ProfileApi;
import tawthiq.api.SessionsApi;
import tawthiq.model.AuthenticationResult;
import tawthiq.model.LoginRequest;
import tawthiq.model.RefreshTokenRequest;
import tawthiq.model.UserProfile;
import tawthiq.model.ValidationErrorResponse;

class Walk {
  private static final String PNG =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

  private final ApiClient client = new ApiClient();
  private final List<String> works = new ArrayList<>();
  private String token;
  private String refresh;
  private String link = "";

  Walk(String origin) {
    client.updateBaseUri(origin);
    client.setRequestInterceptor(request -> {
      if (token != null) request.header("Authorization", "Bearer " + token);
    });
  }

  public static void main(String[] arguments) {
    new Walk(arguments[0]).walk();
  }

  private void walk() {
    step("login", this::login);
    step("profile", () -> new ProfileApi(client).getProfile(null, "en").getData().getUser().getEmail().equals("lawyer@demo.test"));
    step("update with file", this::updateWithFile);
    step("clear a list", () -> update(1, "[]", "{}", null).getSections().isEmpty());
    step("422", this::reject);
    step("refresh", this::refresh);
    step("download", this::download);
    System.out.println("Works: [" + works.stream().map(name -> '"' + name + '"').collect(Collectors.joining(",")) + "]");
    System.exit(0);
  }

  private void step(String name, Callable<Boolean> run) {
    try {
      if (run.call()) works.add(name);
      else System.err.println(name + ": it returned another value");
    } catch (Exception error) {
      System.err.println(name + ": " + error);
    }
  }

  private boolean login() throws ApiException {
    LoginRequest given = new LoginRequest().email("lawyer@demo.test").password("Tawthiq-demo-1");
    AuthenticationResult data = new AuthenticationApi(client).login(given, null).getData();
    token = data.getAccount().getToken();
    refresh = data.getSession().getRefreshToken();
    return token.split("\\.").length == 3;
  }

  private boolean updateWithFile() throws Exception {
    File photo = File.createTempFile("photo", ".png");
    photo.deleteOnExit();
    Files.write(photo.toPath(), Base64.getDecoder().decode(PNG));
    UserProfile user = update(1, "[101]", "{\"101\":\"38/1234\"}", photo);
    link = user.getProfilePhoto();
    return user.getLanguages().equals(List.of(8, 40)) && user.getSections().equals(List.of(101))
        && user.getFirstName().equals("عبدالله") && link.startsWith("/api/v1/files/");
  }

  private boolean reject() throws Exception {
    try {
      update(Integer.MAX_VALUE, "[]", "{}", null);
      return false;
    } catch (ApiException error) {
      if (error.getCode() != 422) throw error;
      ValidationErrorResponse body = client.getObjectMapper().readValue(error.getResponseBody(), ValidationErrorResponse.class);
      Map<String, List<String>> codes = body.getData().getCodes();
      return codes.size() == 1 && codes.get("city_id").size() == 1;
    }
  }

  private boolean refresh() throws ApiException {
    String old = token;
    token = new SessionsApi(client).refreshToken(new RefreshTokenRequest().refreshToken(refresh), null).getData().getAccount().getToken();
    return !token.equals(old);
  }

  private boolean download() throws Exception {
    Matcher id = Pattern.compile("files/([^?]+)").matcher(link);
    if (!id.find()) return false;
    File file = new FilesApi(client).getFile(UUID.fromString(id.group(1)), null, null, null, null);
    return new String(Files.readAllBytes(file.toPath()), 1, 3).equals("PNG");
  }

  private UserProfile update(int cityId, String sections, String licenses, File photo) throws ApiException {
    return new ProfileApi(client).updateProfile(
        "lawyer", "lawyer@demo.test", "500000002", "966",
        682, 1, cityId, 682, // country, region, city, nationality
        1, "Male", "46.6753", "24.7136", // type, gender, longitude, latitude
        null, "en", // If-Match, Accept-Language
        null, null, photo, null, // one-time code, password, photo, name of a client
        "عبدالله", "محمد", null, "القحطاني", "محامٍ متخصص في القضايا التجارية.",
        "1012345672", 1, null, // national id, its type, its image
        17, 5, 1988, // date of birth
        1, null, null, 1, 102, 1, // degree, other degree, certificate, specialties, functional cases
        "[8,40]", sections, licenses,
        null, null, null, null, null // company, its licence, its file, CV, logo
    ).getData().getUser();
  }
}
