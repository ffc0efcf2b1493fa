// Walks the generated client through the requests of an application, and reports the steps that work.
import java.io.File
import java.util.Base64
import java.util.UUID
import tawthiq.apis.AuthenticationApi
import tawthiq.apis.FilesApi
import tawthiq.apis.ProfileApi
import tawthiq.apis.SessionsApi
import tawthiq.infrastructure.ApiClient
import tawthiq.infrastructure.ClientError
import tawthiq.infrastructure.ClientException
import tawthiq.models.LoginRequest
import tawthiq.models.RefreshTokenRequest
import tawthiq.models.UpdateProfileResponse

const val PNG =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

val works = mutableListOf<String>()

fun step(name: String, run: () -> Boolean) {
    try {
        if (run()) works.add(name) else System.err.println("$name: it returned another value")
    } catch (error: Throwable) {
        System.err.println("$name: $error")
    }
}

fun update(api: ProfileApi, sections: String, licenses: String, cityId: Int = 1, photo: File? = null): UpdateProfileResponse =
    api.updateProfile(
        accountType = ProfileApi.AccountTypeUpdateProfile.lawyer,
        email = "lawyer@demo.test",
        phone = "500000002",
        phoneCode = "966",
        countryId = 682,
        regionId = 1,
        cityId = cityId,
        nationalityId = 682,
        type = ProfileApi.TypeUpdateProfile._1,
        gender = ProfileApi.GenderUpdateProfile.male,
        longitude = "46.6753",
        latitude = "24.7136",
        firstName = "عبدالله",
        secondName = "محمد",
        fourthName = "القحطاني",
        about = "محامٍ متخصص في القضايا التجارية.",
        nationalId = "1012345672",
        identityType = 1,
        day = 17,
        month = 5,
        year = 1988,
        degree = 1,
        generalSpecialty = 1,
        accurateSpecialty = 102,
        functionalCases = 1,
        languages = "[8,40]",
        sections = sections,
        licenseNo = licenses,
        profilePhoto = photo,
    )

fun main(arguments: Array<String>) {
    val origin = arguments[0]
    val photo = File.createTempFile("photo", ".png").apply { deleteOnExit() }
    photo.writeBytes(Base64.getDecoder().decode(PNG))
    val profiles = ProfileApi(origin)
    var refresh = ""
    var link = ""

    step("login") {
        val data = AuthenticationApi(origin).login(LoginRequest("lawyer@demo.test", "Tawthiq-demo-1")).data
        ApiClient.accessToken = data.account.token
        refresh = data.session.refreshToken
        data.account.token.split(".").size == 3
    }
    step("profile") { profiles.getProfile("en").data.user.email == "lawyer@demo.test" }
    step("update with file") {
        val user = update(profiles, "[101]", "{\"101\":\"38/1234\"}", photo = photo).data.user
        link = user.profilePhoto ?: ""
        user.languages == listOf(8, 40) && user.sections == listOf(101) && link.startsWith("/api/v1/files/")
    }
    step("clear a list") { update(profiles, "[]", "{}").data.user.sections == listOf<Int>() }
    step("422") {
        try {
            update(profiles, "[]", "{}", cityId = Int.MAX_VALUE)
            false
        } catch (error: ClientException) {
            val body = (error.response as ClientError<*>).body.toString()
            error.statusCode == 422 && body.contains("\"codes\":{\"city_id\":[")
        }
    }
    step("refresh") {
        val before = ApiClient.accessToken
        ApiClient.accessToken = SessionsApi(origin).refreshToken(RefreshTokenRequest(refresh)).data.account.token
        ApiClient.accessToken != before
    }
    step("download") {
        val id = UUID.fromString(Regex("files/([^?]+)").find(link)!!.groupValues[1])
        FilesApi(origin).getFile(id).readBytes().copyOfRange(1, 4).decodeToString() == "PNG"
    }
    println("Works: [" + works.joinToString(",") { "\"$it\"" } + "]")
    System.exit(0)
}
